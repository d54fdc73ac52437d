import type { Host } from "./host.ts";
import type { HostId } from "./host-id.ts";
import { amazonQ } from "./known/amazon-q.ts";
import { amp } from "./known/amp.ts";
import { antigravity } from "./known/antigravity.ts";
import { claudeCode } from "./known/claude-code.ts";
import { claudeDesktop } from "./known/claude-desktop.ts";
import { cline } from "./known/cline.ts";
import { codex } from "./known/codex.ts";
import { continueDev } from "./known/continue.ts";
import { copilotCli } from "./known/copilot-cli.ts";
import { copilotJetbrains } from "./known/copilot-jetbrains.ts";
import { crush } from "./known/crush.ts";
import { cursor } from "./known/cursor.ts";
import { factory } from "./known/factory.ts";
import { geminiCli } from "./known/gemini-cli.ts";
import { goose } from "./known/goose.ts";
import { jetbrainsAir } from "./known/jetbrains-air.ts";
import { junie } from "./known/junie.ts";
import { kilo } from "./known/kilo.ts";
import { kimi } from "./known/kimi.ts";
import { kiro } from "./known/kiro.ts";
import { lmStudio } from "./known/lm-studio.ts";
import { opencode } from "./known/opencode.ts";
import { qoder } from "./known/qoder.ts";
import { roo } from "./known/roo.ts";
import { trae } from "./known/trae.ts";
import { vibe } from "./known/vibe.ts";
import { visualStudio } from "./known/visual-studio.ts";
import { vscode } from "./known/vscode.ts";
import { warp } from "./known/warp.ts";
import { windsurf } from "./known/windsurf.ts";
import { zed } from "./known/zed.ts";

const known: Readonly<Record<HostId, Host>> = {
  "claude-code": claudeCode,
  vscode: vscode,
  cursor: cursor,
  "claude-desktop": claudeDesktop,
  codex: codex,
  "gemini-cli": geminiCli,
  windsurf: windsurf,
  zed: zed,
  cline: cline,
  roo: roo,
  kilo: kilo,
  continue: continueDev,
  antigravity: antigravity,
  goose: goose,
  "lm-studio": lmStudio,
  junie: junie,
  "jetbrains-air": jetbrainsAir,
  "copilot-jetbrains": copilotJetbrains,
  "amazon-q": amazonQ,
  kiro: kiro,
  opencode: opencode,
  crush: crush,
  "copilot-cli": copilotCli,
  amp: amp,
  "visual-studio": visualStudio,
  warp: warp,
  trae: trae,
  qoder: qoder,
  kimi: kimi,
  factory: factory,
  vibe: vibe,
};

/** Every host that is known, in the order in which they are looked at and listed. */
export const hosts: readonly Host[] = Object.values(known);

export function hostOf(id: HostId): Host {
  return known[id];
}
