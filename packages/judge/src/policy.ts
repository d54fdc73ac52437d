import { type Digest, digestOfCanonical, type Effect } from "@countersign/core";

/** What the operator decided about one server, beforehand. */
export interface Policy {
  /** The description gate is skipped. The other gates are not. */
  readonly trusted: boolean;
  /** Unbind what was approved when a rule comes to refuse it, instead of asking for another look. */
  readonly strict: boolean;
  /** Instead of the rules' own effects. */
  readonly severities: ReadonlyMap<string, Effect | "off">;
}

export const defaultPolicy: Policy = { trusted: false, strict: false, severities: new Map() };

/** Names a policy in the approvals that were given under it. */
export function policyDigest(policy: Policy): Digest {
  const severities = [...policy.severities].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return digestOfCanonical("policy", JSON.stringify([policy.trusted, policy.strict, severities]));
}
