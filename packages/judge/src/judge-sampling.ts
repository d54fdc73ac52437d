import type { Objection, Reason, Sampling, Snapshot } from "@countersign/core";
import { rule } from "./judge.ts";
import type { Policy } from "./policy.ts";

/**
 * What speaks against a sampling request; nothing where it may pass. No person can be asked in the middle of a call, so a
 * finding that would ask speaks against it as one that refuses does, and that nobody approved it does not.
 */
export function judgeSampling(sampling: Sampling, snapshot: Snapshot, policy: Policy): readonly Objection[] {
  // It passes as it was sent or not at all, so it is judged as it was sent, whatever is planned for what stands in lists.
  const rulings = rule(sampling, snapshot, { ...policy, plans: { definitions: new Map() } });
  return rulings
    .map(({ address, reasons }) => ({ address, reasons: reasons.filter(objects) }))
    .filter(({ reasons }) => reasons.length > 0);
}

/** Everything does that is not known to be harmless here. */
function objects(reason: Reason): boolean {
  if (reason.code === "FINDING") return reason.finding.effect !== "note";
  return reason.code !== "NO_BASELINE" && reason.code !== "UNSTABLE";
}
