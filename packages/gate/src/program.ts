import { runCli, type VerbGroup } from "./cli/cli.ts";
import type { ExitCode } from "./gate-error.ts";
import { approveVerb } from "./verbs/approve.ts";
import { bypassVerb } from "./verbs/bypass.ts";
import { doctorVerb } from "./verbs/doctor.ts";
import { explainVerb } from "./verbs/explain.ts";
import { importVerb } from "./verbs/import.ts";
import { logVerb } from "./verbs/log.ts";
import { proveVerb } from "./verbs/prove.ts";
import { reviewVerb } from "./verbs/review.ts";
import { rewriteVerb } from "./verbs/rewrite.ts";
import { runVerb } from "./verbs/run.ts";
import { scanVerb } from "./verbs/scan.ts";
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
  { heading: "Elsewhere:", verbs: [runVerb, importVerb, proveVerb] },
];

/** All commands but `run`, which starts without any of this. Resolves to the exit code. */
export function runProgram(argv: readonly string[]): Promise<ExitCode> {
  return runCli(groups, argv);
}
