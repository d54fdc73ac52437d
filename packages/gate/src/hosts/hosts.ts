import type { Host } from "./host.ts";
import type { HostId } from "./host-id.ts";
import { claudeCode } from "./known/claude-code.ts";
import { claudeDesktop } from "./known/claude-desktop.ts";
import { codex } from "./known/codex.ts";
import { cursor } from "./known/cursor.ts";
import { geminiCli } from "./known/gemini-cli.ts";
import { vscode } from "./known/vscode.ts";

const known: Readonly<Record<HostId, Host>> = {
  "claude-code": claudeCode,
  vscode,
  cursor,
  "claude-desktop": claudeDesktop,
  codex,
  "gemini-cli": geminiCli,
};

/** Every host that is known, in the order in which they are looked at and listed. */
export const hosts: readonly Host[] = Object.values(known);

export function hostOf(id: HostId): Host {
  return known[id];
}
