import {
  addressKey,
  type Binding,
  type Digest,
  emptySnapshot,
  type Offer,
  type Plan,
  type Prose,
  planOf,
  type Reason,
  type Ruling,
  render,
  type Snapshot,
} from "@countersign/core";
import { defaultPolicy, descriptionRules, identityRules, policyDigest, rule, schemaRules } from "@countersign/judge";
import { readCapture } from "./read-capture.ts";
import type { Judged, Subject } from "./subject.ts";

/**
 * The gates by which `countersign run` rules, with everything in the offer approved and every rule silenced: the baseline
 * gate gets no help from the others, so a change must be caught because it is a change.
 */
export function pipelineUnder(prose: Prose): Subject {
  return (approved) => {
    const reading = readCapture(approved);
    if ("code" in reading) return () => ({ is: "refused", code: reading.code });
    const snapshot = approvalOf(reading.offer, planOf(prose, [], false));
    return (seen) => {
      const now = readCapture(seen);
      if ("code" in now) return { is: "refused", code: now.code };
      return { is: "judged", definitions: rule(now.offer, snapshot, policy).map(toJudged) };
    };
  };
}

const silenced = [...descriptionRules, ...schemaRules, ...identityRules].map(({ id }) => [id, "off"] as const);
const policy = { ...defaultPolicy, trusted: true, severities: new Map(silenced) };

/** What the ledger would hold after somebody has approved all of the offer. */
function approvalOf({ definitions }: Offer, plan: Plan): Snapshot {
  const bindings = new Map<string, Binding>();
  const texts = new Map<Digest, string>();
  for (const { address, received, text } of definitions) {
    const rendered = render(address.kind, text, received, plan);
    if (rendered.is === "unfit") throw new RangeError("every definition fits a plan that sets nothing");
    const { contract, rendering } = rendered;
    bindings.set(addressKey(address), {
      address,
      received,
      contract,
      rendered: rendering.digest,
      plan,
      acknowledged: [],
      by: "prove",
      seq: 1,
      ruleset: policyDigest(policy),
      policy: policyDigest(policy),
    });
    texts.set(received, text);
    texts.set(rendering.digest, rendering.text);
  }
  return { ...emptySnapshot, seq: 1, bindings, texts };
}

function toJudged(ruling: Ruling): Judged {
  const { kind, name } = ruling.address;
  if (ruling.verdict === "bind") return { kind, name, bound: true, served: ruling.rendering.text };
  const codes = ruling.reasons.map(({ code }) => code);
  return { kind, name, bound: false, codes, places: ruling.reasons.flatMap(placesOf) };
}

function placesOf(reason: Reason): readonly string[] {
  switch (reason.code) {
    case "DESCRIPTION_MUTATION":
    case "LAUNCH_CHANGED":
    case "MASKED_MUTATION":
      return reason.drift.map(({ at }) => at);
    case "MALFORMED":
      return reason.faults.map(({ at }) => at);
    case "PLAN_UNFIT":
      return reason.misfits.map(({ at }) => at);
    case "FINDING": // what a rule says of the new text is no account of what changed
    case "NOT_ALLOWED":
    case "PLAN_CHANGED":
    case "GATE_FAILED":
    case "NO_BASELINE":
    case "REJECTED":
    case "REVOKED":
    case "UNSTABLE":
    case "OBSERVED":
    case "BYPASSED":
    case "EXPIRED":
      return [];
  }
}
