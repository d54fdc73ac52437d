import {
  addressKey,
  type Binding,
  driftOf,
  type Gate,
  launchStanding,
  type Malformed,
  type Offer,
  type RawDefinition,
  type Reason,
  type Rendering,
  type Ruling,
  readJson,
  render,
  type Snapshot,
  withdrawnKey,
} from "@countersign/core";
import { contextOf, findingsOf, subjectOf } from "./inspect.ts";
import type { Policy } from "./policy.ts";
import type { Context, Rule, Subject } from "./rule.ts";
import { descriptionRules, identityRules, schemaRules } from "./rules/index.ts";

/**
 * Rules on every definition of an offer. Pure: everything it knows is in its arguments, and equal arguments get equal
 * rulings. The gates are independent; none is skipped because another has spoken.
 */
export function rule(offer: Offer, snapshot: Snapshot, policy: Policy): readonly Ruling[] {
  const context = contextOf(offer, snapshot);
  return [
    ...offer.definitions.map((definition, index) => ruleOn(definition, index, context, snapshot, policy)),
    ...offer.malformed.map((malformed) => refuseMalformed(offer, malformed)),
  ];
}

function ruleOn(
  definition: RawDefinition,
  index: number,
  context: Context,
  snapshot: Snapshot,
  policy: Policy,
): Ruling {
  const { address, received } = definition;
  const binding = snapshot.bindings.get(addressKey(address));
  const acknowledged = new Set(binding?.received === received ? binding.acknowledged.map((one) => one.rule) : []);

  let made: Subject | undefined;
  const subject = () => {
    const surface = context.offer[index];
    if (surface === undefined) throw new RangeError("a definition has no surface");
    made ??= subjectOf(surface, definition.json, context);
    return made;
  };
  const judgedBy = (gate: Rule["gate"], rules: readonly Rule[]) =>
    guarded(gate, () =>
      findingsOf(rules, subject, policy).map(
        (finding): Reason => ({ gate, code: "FINDING", finding, acknowledged: acknowledged.has(finding.rule) }),
      ),
    );

  const baseline = guarded("baseline", () => {
    const reasons = baselineReasons(definition, binding, snapshot);
    // What is approved stands, however much else of its server changes.
    if (reasons.length === 0 || snapshot.unstableUntil === undefined) return reasons;
    return [...reasons, { gate: "baseline", code: "UNSTABLE" }];
  });
  // No model reads how a server is reached, and no server wrote it.
  if (address.kind === "launch") return decide(definition, binding, baseline, snapshot, policy);
  const reasons = [
    ...baseline,
    ...judgedBy("schema", schemaRules),
    ...(policy.trusted ? [] : judgedBy("description", descriptionRules)),
    ...judgedBy("identity", identityRules),
  ];
  return decide(definition, binding, reasons, snapshot, policy);
}

/** A gate that throws has said nothing, and nothing said is no approval. */
function guarded(gate: Gate, judge: () => readonly Reason[]): readonly Reason[] {
  try {
    return judge();
  } catch (error) {
    return [{ gate, code: "GATE_FAILED", error: error instanceof Error ? error.message : String(error) }];
  }
}

function baselineReasons(
  definition: RawDefinition,
  binding: Binding | undefined,
  snapshot: Snapshot,
): readonly Reason[] {
  const own = ownBaselineReasons(definition, binding, snapshot);
  if (definition.address.kind === "launch" || launchStanding(snapshot) !== "held") return own;
  return [...own, { gate: "baseline", code: "LAUNCH_CHANGED", drift: [] }];
}

function ownBaselineReasons(
  { address, json, received }: RawDefinition,
  binding: Binding | undefined,
  snapshot: Snapshot,
): readonly Reason[] {
  const withdrawn = snapshot.withdrawn.get(withdrawnKey(received, addressKey(address)));
  if (withdrawn !== undefined) return [{ gate: "baseline", code: withdrawn }];
  if (binding === undefined) return [{ gate: "baseline", code: "NO_BASELINE" }];
  if (binding.expires !== undefined && binding.expires <= snapshot.now) return [{ gate: "baseline", code: "EXPIRED" }];
  const text = textOf(binding.received, snapshot);
  if (binding.received === received) return [];
  const approved = readJson(text);
  if (approved.is === "refused") throw new Error(`the approved text of ${received} is not JSON`);
  const code = address.kind === "launch" ? "LAUNCH_CHANGED" : "DESCRIPTION_MUTATION";
  return [{ gate: "baseline", code, drift: driftOf(address.kind, approved.json, json) }];
}

/**
 * docs/format.md §6. What stops a definition that nobody approved does not unbind one that somebody did: an approved
 * digest with a finding that is new waits for another look, and is taken away only under `strict`.
 */
function decide(
  { address, received }: RawDefinition,
  binding: Binding | undefined,
  reasons: readonly Reason[],
  snapshot: Snapshot,
  { strict }: Policy,
): Ruling {
  if (reasons.some(({ code }) => code === "GATE_FAILED")) return { address, reasons, verdict: "refuse", received };
  const approved = !reasons.some(({ gate }) => gate === "baseline");
  const effects = new Set(
    reasons.map((reason) => (reason.code === "FINDING" && !reason.acknowledged ? reason.finding.effect : "note")),
  );
  if (effects.has("refuse") && (!approved || strict)) return { address, reasons, verdict: "refuse", received };
  if (!approved || binding === undefined) {
    const stands = address.kind === "server" && reasons.some(({ code }) => code === "DESCRIPTION_MUTATION");
    if (!stands || binding === undefined) return { address, reasons, verdict: "quarantine", received };
    return { address, reasons, verdict: "quarantine", received, standing: renderingOf(binding, snapshot) };
  }
  return { address, reasons, verdict: "bind", received, rendering: renderingOf(binding, snapshot) };
}

/** What is served is the stored text that was approved, not what the server sent just now. */
function renderingOf({ received, plan }: Binding, snapshot: Snapshot): Rendering {
  return render(textOf(received, snapshot), received, plan).rendering;
}

function textOf(digest: Binding["received"], snapshot: Snapshot): string {
  const text = snapshot.texts.get(digest);
  if (text === undefined) throw new Error(`the approved text of ${digest} is missing`);
  return text;
}

function refuseMalformed(offer: Offer, { kind, name, faults }: Malformed): Ruling {
  const address = { server: offer.server, kind, name: name ?? "" };
  const duplicate = faults.some(({ code }) => code === "DUPLICATE_NAME");
  return {
    address,
    reasons: [{ gate: duplicate ? "identity" : "schema", code: "MALFORMED", faults }],
    verdict: "refuse",
  };
}
