import { createHash } from "node:crypto";
import type {
  Address,
  Confidence,
  Digest,
  Drift,
  DriftClass,
  Effect,
  Lines,
  Pointer,
  Reason,
  Ruling,
} from "@countersign/core";
import { shownName, type View } from "../print/view.ts";
import { pathOf } from "./path-of.ts";

/** What a check says besides the rules of the gates: about the lockfile, and about what stands against it. */
export type CheckRule =
  | "description-mutation"
  | "masked-mutation"
  | "not-approved"
  | "no-longer-offered"
  | "approval-expired"
  | "malformed"
  | "refused";

/** One thing that is amiss at one place: what SARIF calls a result. */
export interface Claim {
  /** Of a gate, or one of `CheckRule`. */
  readonly rule: string;
  readonly effect: Effect;
  /** Against the lockfile. */
  readonly is: "new" | "updated" | "unchanged" | "absent";
  /** Somebody approved it in spite of this rule. */
  readonly acknowledged: boolean;
  /** A JSON Pointer and the same as a path from `$`, as a view may show them. */
  readonly at: string;
  readonly path: string;
  /** In the lockfile: of the place, or of what is around it. */
  readonly lines?: Lines;
  /** Equal for the same claim about the same text, wherever it stands. */
  readonly fingerprint: string;
  readonly confidence?: Confidence;
  readonly change?: DriftClass;
}

/** Where claims are made about one definition. */
export interface ClaimPlace {
  readonly address: Address;
  /** Of what is offered, or of what was approved where nothing is. */
  readonly digest: Digest | undefined;
  readonly linesOf: (address: Address, at?: Pointer) => Lines | undefined;
  readonly view: View;
}

export function claim(
  { address, digest, linesOf, view }: ClaimPlace,
  rule: CheckRule | (string & {}),
  said: Pick<Claim, "effect" | "is"> & Partial<Pick<Claim, "acknowledged" | "confidence" | "change">>,
  at: Pointer = "" as Pointer,
): Claim {
  const lines = linesOf(address, at === "" ? undefined : at);
  const about = JSON.stringify([rule, address.server, address.kind, address.name, at, digest ?? ""]);
  return {
    rule,
    acknowledged: false,
    ...said,
    at: at === "" ? "" : shownName(at, view),
    path: pathOf(at, view),
    ...(lines === undefined ? {} : { lines }),
    fingerprint: createHash("sha256").update(about).digest("hex"),
  };
}

/** What the gates said of a definition that is as it was locked, or another, or new. */
export function claimsOf(place: ClaimPlace, { reasons }: Ruling, against: "same" | "other" | "none"): readonly Claim[] {
  return reasons.flatMap((reason) => claimsOfReason(place, reason, against));
}

function claimsOfReason(place: ClaimPlace, reason: Reason, against: "same" | "other" | "none"): readonly Claim[] {
  const whole = (rule: CheckRule, is: Claim["is"]): readonly Claim[] => [claim(place, rule, { effect: "refuse", is })];
  switch (reason.code) {
    case "FINDING": {
      const { finding, acknowledged, added } = reason;
      const { rule, effect, confidence, at } = finding;
      // What a rule only notes is no news where nothing has changed.
      if (reason.in === "received" || (against === "same" && effect === "note")) return [];
      const is = added || against === "none" ? "new" : "unchanged";
      return [claim(place, rule, { effect, confidence, acknowledged, is }, at)];
    }
    case "DESCRIPTION_MUTATION":
      return reason.drift.map((drift) => ofDrift(place, "description-mutation", "refuse", drift));
    case "MASKED_MUTATION":
      return reason.drift.map((drift) => ofDrift(place, "masked-mutation", "note", drift));
    case "NO_BASELINE":
      return whole("not-approved", "new");
    case "EXPIRED":
      return whole("approval-expired", "unchanged");
    case "MALFORMED":
    case "NOT_ALLOWED":
      return [];
    case "GATE_FAILED":
    case "PLAN_CHANGED":
    case "PLAN_UNFIT":
    case "LAUNCH_CHANGED":
    case "REJECTED":
    case "REVOKED":
    case "UNSTABLE":
    case "OBSERVED":
    case "BYPASSED":
      return whole("refused", "updated");
  }
}

function ofDrift(place: ClaimPlace, rule: CheckRule, effect: Effect, { at, change }: Drift): Claim {
  return claim(place, rule, { effect, change, is: "updated" }, at);
}
