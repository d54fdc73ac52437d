import type { Kind } from "./address.ts";
import { type Drift, driftOf } from "./drift.ts";
import { readJson } from "./json.ts";
import type { RawDefinition } from "./offer.ts";
import { isAsSent, type Plan } from "./plan.ts";
import { contractOf } from "./render.ts";

/**
 * Where a definition differs from the approved one, and which of it the plan keeps from the model.
 *
 * @param before the text that was approved
 * @throws Error where that is not JSON: somebody else has written it
 */
export function driftUnder(plan: Plan, { address, text, json }: RawDefinition, before: string): readonly Drift[] {
  const approved = readJson(before);
  if (approved.is === "refused") throw new Error("the approved text is not JSON");
  const drift = driftOf(address.kind, approved.json, json);
  return isAsSent(plan) ? drift : marked(drift, plan, address.kind, before, text);
}

function marked(drift: readonly Drift[], plan: Plan, kind: Kind, before: string, after: string): readonly Drift[] {
  const contracts = driftOf(kind, contractOf(kind, before, plan), contractOf(kind, after, plan));
  const seen = new Set(contracts.map(({ at }) => at));
  return drift.map((one) => (seen.has(one.at) ? one : { ...one, masked: true }));
}
