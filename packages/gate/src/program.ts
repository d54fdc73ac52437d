import { programOf, runCli, type VerbGroup } from "./cli/cli.ts";
import type { ExitCode } from "./gate-error.ts";
import { approveVerb } from "./verbs/approve.ts";
import { bypassVerb } from "./verbs/bypass.ts";
import { checkVerb } from "./verbs/check.ts";
import { completionVerb } from "./verbs/completion.ts";
import { doctorVerb } from "./verbs/doctor.ts";
import { explainVerb } from "./verbs/explain.ts";
import { gatewayVerb } from "./verbs/gateway.ts";
import { importVerb } from "./verbs/import.ts";
import { initVerb } from "./verbs/init.ts";
import { keyVerb } from "./verbs/key.ts";
import { lintVerb } from "./verbs/lint.ts";
import { lockVerb } from "./verbs/lock.ts";
import { logVerb } from "./verbs/log.ts";
import { manifestVerb } from "./verbs/manifest.ts";
import { proveVerb } from "./verbs/prove.ts";
import { reviewVerb } from "./verbs/review.ts";
import { rewriteVerb } from "./verbs/rewrite.ts";
import { runVerb } from "./verbs/run.ts";
import { scanVerb } from "./verbs/scan.ts";
import { signInVerb, signOutVerb } from "./verbs/sign-in.ts";
import { statusVerb } from "./verbs/status.ts";
import { trustVerb } from "./verbs/trust.ts";
import { untrustVerb } from "./verbs/untrust.ts";
import { withdrawVerbs } from "./verbs/withdraw.ts";
import { unwrapVerb, wrapVerb } from "./verbs/wrap.ts";

/** In the order of the help: what everybody needs comes first. */
const groups: readonly VerbGroup[] = [
  { heading: "Every day:", verbs: [wrapVerb, scanVerb, reviewVerb, statusVerb, doctorVerb, unwrapVerb] },
  { heading: "Decisions:", verbs: [approveVerb, withdrawVerbs, bypassVerb, trustVerb, untrustVerb, logVerb] },
  { heading: "What the model reads:", verbs: [explainVerb, rewriteVerb] },
  { heading: "For authors of servers:", verbs: [lintVerb] },
  { heading: "In a repository:", verbs: [lockVerb, checkVerb] },
  { heading: "Servers at a URL:", verbs: [signInVerb, signOutVerb] },
  { heading: "For a team:", verbs: [gatewayVerb, keyVerb] },
  { heading: "Elsewhere:", verbs: [initVerb, runVerb, manifestVerb, importVerb, proveVerb, completionVerb] },
];

/** All commands but `run`, which starts without any of this. Resolves to the exit code. */
export async function runProgram(argv: readonly string[]): Promise<ExitCode> {
  if (argv[0] !== "complete-words") return runCli(groups, argv);
  // Asked by a shell, at every press of a key; no verb, so that it stands in no help.
  const { completeWords } = await import("./complete-words.ts");
  const program = programOf(groups, { print: () => undefined, exitWith: () => undefined });
  process.stdout.write(await completeWords(program, argv.slice(1)));
  return 0;
}
