import type { Address } from "./address.ts";
import type { Digest } from "./digest.ts";
import type { Drift } from "./drift.ts";
import type { Finding } from "./finding.ts";
import type { Misfit, Rendering } from "./render.ts";
import type { Fault } from "./shape.ts";

/** Passing one never discharges another. */
export type Gate = "schema" | "description" | "identity" | "baseline";

/** Why a gate says what it says. Sentences are made from these where they are printed, nowhere else. */
export type Reason =
  | { readonly gate: "baseline"; readonly code: "NO_BASELINE" | "REJECTED" | "REVOKED" | "EXPIRED" }
  /** Beside another of these: it changes too often to be reviewed. */
  | { readonly gate: "baseline"; readonly code: "UNSTABLE" }
  /** Beside all others, of what passes in spite of them: the operator lets everything of the server pass. */
  | { readonly gate: "baseline"; readonly code: LetThrough }
  | { readonly gate: "baseline"; readonly code: "DESCRIPTION_MUTATION"; readonly drift: readonly Drift[] }
  /** Only what the plan masks has changed: the model reads the stored text. Such a definition stays bound. */
  | { readonly gate: "baseline"; readonly code: "MASKED_MUTATION"; readonly drift: readonly Drift[] }
  /** The operator allows other definitions only, whatever is approved. */
  | { readonly gate: "baseline"; readonly code: "NOT_ALLOWED" }
  /** The operator changed the plan since it was approved. */
  | { readonly gate: "baseline"; readonly code: "PLAN_CHANGED" }
  /** The operator's plan speaks of places that the definition does not have. */
  | { readonly gate: "baseline"; readonly code: "PLAN_UNFIT"; readonly misfits: readonly Misfit[] }
  /**
   * The server is not reached as it was approved to be. `drift` is that of the launch itself, and empty on the
   * definitions that it holds back.
   */
  | { readonly gate: "baseline"; readonly code: "LAUNCH_CHANGED"; readonly drift: readonly Drift[] }
  | {
      readonly gate: "schema" | "description" | "identity";
      readonly code: "FINDING";
      readonly finding: Finding;
      readonly acknowledged: boolean;
      /** Somebody approved the definition, and the text that he approved has no such words: this came with the change. */
      readonly added: boolean;
      /** `received`: about text that the plan keeps from the model as long as nobody approves it; it informs a reviewer. */
      readonly in: "rendering" | "received";
    }
  | { readonly gate: "schema" | "identity"; readonly code: "MALFORMED"; readonly faults: readonly Fault[] }
  /** A gate that broke says nothing about the definition, so the definition is not bound. */
  | { readonly gate: Gate; readonly code: "GATE_FAILED"; readonly error: string };

/** Why everything of a server passes: its mode is `observe`, or somebody has bypassed it for a while. */
export type LetThrough = "OBSERVED" | "BYPASSED";

export type Ruling = { readonly address: Address; readonly reasons: readonly Reason[] } & (
  | { readonly verdict: "bind"; readonly received: Digest; readonly rendering: Rendering }
  /** `standing`: the approved text that stays in place of a changed one. Only how a server presents itself has one. */
  | { readonly verdict: "quarantine"; readonly received: Digest; readonly standing?: Rendering }
  /** `received` is absent where the definition was malformed. */
  | { readonly verdict: "refuse"; readonly received?: Digest }
);

/** What becomes of a definition: the model is given it, a person is asked about it, or it is turned down. */
export type Verdict = Ruling["verdict"];
