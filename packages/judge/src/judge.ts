import {
  addressKey,
  type Binding,
  contractOf,
  digestOf,
  driftUnder,
  fenced,
  type Gate,
  isAsSent,
  isSamePlan,
  launchStanding,
  type Malformed,
  type Offer,
  type Plan,
  type RawDefinition,
  type Reason,
  type Rendering,
  type Ruling,
  readJson,
  render,
  type Snapshot,
  surfaceOf,
  withdrawnKey,
} from "@countersign/core";
import { corroborated } from "./corroborated.ts";
import { contextOf, findingsOf, subjectOf } from "./inspect.ts";
import { type Policy, planFor } from "./policy.ts";
import type { Context, Rule, Subject } from "./rule.ts";
import { descriptionRules, identityRules, schemaRules } from "./rules/index.ts";
import { sinceApproved } from "./since-approved.ts";

/**
 * Rules on every definition of an offer. Pure: everything it knows is in its arguments, and equal arguments get equal
 * rulings. The gates are independent; none is skipped because another has spoken.
 */
export function rule(
  offer: Pick<Offer, "server" | "definitions" | "malformed">,
  snapshot: Snapshot,
  policy: Policy,
): readonly Ruling[] {
  const context = contextOf(offer, snapshot);
  return [
    ...offer.definitions.map((definition, index) => ruleOn(definition, index, context, snapshot, policy)),
    ...offer.malformed.map((malformed) => refuseMalformed(offer, malformed)),
  ];
}

/** What `rule` says of some of the definitions, by their places, without judging the others. */
export function ruleOnSome(
  offer: Pick<Offer, "server" | "definitions" | "malformed">,
  which: (definition: RawDefinition) => boolean,
  snapshot: Snapshot,
  policy: Policy,
): ReadonlyMap<number, Ruling> {
  const context = contextOf(offer, snapshot);
  const rulings = new Map<number, Ruling>();
  for (const [index, definition] of offer.definitions.entries()) {
    if (which(definition)) rulings.set(index, ruleOn(definition, index, context, snapshot, policy));
  }
  return rulings;
}

/** What `rule` says of the definition at `index`, without judging the others. */
export function ruleOnOne(
  offer: Pick<Offer, "server" | "definitions" | "malformed">,
  index: number,
  snapshot: Snapshot,
  policy: Policy,
): Ruling {
  const definition = offer.definitions[index];
  if (definition === undefined) throw new RangeError("an offer has no such definition");
  return ruleOn(definition, index, contextOf(offer, snapshot), snapshot, policy);
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
  const baseline = guarded("baseline", () => {
    const reasons = [
      ...(isAllowed(address, policy) ? [] : [{ gate: "baseline", code: "NOT_ALLOWED" } as const]),
      ...baselineReasons(definition, binding, snapshot, policy),
    ];
    // What is approved stands, however much else of its server changes.
    if (snapshot.unstableUntil === undefined || !reasons.some(unbinds)) return reasons;
    return [...reasons, { gate: "baseline", code: "UNSTABLE" }];
  });
  // No model reads how a server is reached, and no server wrote it.
  if (address.kind === "launch") return decide(definition, binding, baseline, snapshot, policy);

  const stands = binding !== undefined && !baseline.some(unbinds);
  const acknowledged = new Set(
    stands || binding?.received === received ? binding?.acknowledged.map((one) => one.rule) : [],
  );
  const changed = binding !== undefined && binding.received !== received;
  const approved = changed
    ? once(() => subjectOfText(definition, textOf(binding.received, snapshot), context))
    : undefined;
  const judged: Judging["judged"] = (subject, where) => {
    const said = (gate: Asked["gate"], rules: readonly Rule[]) =>
      guarded(gate, () => reasonsBy({ gate, rules, subject, where, approved, acknowledged, policy }));
    return [
      ...said("schema", schemaRules),
      ...(policy.trusted ? [] : said("description", descriptionRules)),
      ...said("identity", identityRules),
    ];
  };
  const subject = once(() => {
    const surface = context.offer[index];
    if (surface === undefined) throw new RangeError("a definition has no surface");
    return subjectOf(surface, definition.json, context);
  });
  const plan = planFor(policy, address, binding);
  if (isAsSent(plan) && (binding === undefined || isAsSent(binding.plan))) {
    return decide(definition, binding, [...baseline, ...judged(subject, "rendering")], snapshot, policy);
  }
  const reasons = judgedUnder(plan, { definition, stands, binding, snapshot, judged, subject, context });
  return decide(definition, binding, [...baseline, ...reasons], snapshot, policy);
}

/** What the rules of one gate are asked. */
interface Asked {
  readonly gate: Rule["gate"];
  readonly rules: readonly Rule[];
  readonly subject: () => Subject;
  readonly where: "rendering" | "received";
  /** The text that somebody approved, where this is another one. */
  readonly approved: (() => Subject) | undefined;
  readonly acknowledged: ReadonlySet<string>;
  readonly policy: Policy;
}

function reasonsBy({ gate, rules, subject, where, approved, acknowledged, policy }: Asked): readonly Reason[] {
  const foundIn = (subject: () => Subject) => corroborated(findingsOf(rules, subject, policy), policy);
  const findings = foundIn(subject);
  // What a name is like depends on other servers' names, not on its own text.
  const dated =
    approved === undefined || gate === "identity" || findings.length === 0
      ? findings.map((finding) => ({ finding, added: false }))
      : sinceApproved({ subject: subject(), findings }, { subject: approved(), findings: foundIn(approved) }, policy);
  return dated.map(({ finding, added }) => ({
    ...{ gate, code: "FINDING", finding, in: where, added },
    acknowledged: where === "rendering" && acknowledged.has(finding.rule),
  }));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface Judging {
  readonly definition: RawDefinition;
  readonly stands: boolean;
  readonly binding: Binding | undefined;
  readonly snapshot: Snapshot;
  /** What the gates say of one text of the definition. */
  readonly judged: (subject: () => Subject, where: Asked["where"]) => readonly Reason[];
  /** Of the definition as it was sent. */
  readonly subject: () => Subject;
  readonly context: Context;
}

/**
 * The gates rule on what the model reads: the stored text where the definition stands, else what it would be given if it
 * were approved now. What they find in the rest of what was sent only informs the reviewer; and what a new approval would
 * let in, in a place that is masked until then, he is asked about.
 */
function judgedUnder(
  plan: Plan,
  { definition, stands, binding, snapshot, judged, subject, context }: Judging,
): readonly Reason[] {
  const { address, text, received } = definition;
  const texts = { stored: "", next: "" };
  const failed = guarded("baseline", () => {
    const rendered = render(address.kind, text, received, plan);
    texts.next = rendered.is === "rendered" ? rendered.rendering.text : text;
    texts.stored = stands && binding !== undefined ? textOf(binding.rendered, snapshot) : texts.next;
    return [];
  });
  if (failed.length > 0) return failed;
  const of = (one: string) => (one === text ? subject : () => subjectOfText(definition, one, context));
  const served = judged(of(texts.stored), "rendering");
  const next = texts.next === texts.stored ? served : judged(of(texts.next), "received");
  const sent = text === texts.next ? next : judged(subject, "received");
  const known = new Set(served.map(claimOf));
  const coming = next.filter((reason) => !known.has(claimOf(reason)));
  for (const reason of coming) known.add(claimOf(reason));
  const masked = sent.filter((reason) => !known.has(claimOf(reason))).map(informing);
  return [...served, ...coming, ...masked];
}

function claimOf(reason: Reason): string {
  if (reason.code !== "FINDING") return reason.code;
  const { rule, at, part, span } = reason.finding;
  return JSON.stringify([rule, at, part, span?.start, span?.end]);
}

function informing(reason: Reason): Reason {
  return reason.code === "FINDING" ? { ...reason, finding: { ...reason.finding, effect: "note" } } : reason;
}

function subjectOfText({ address }: RawDefinition, text: string, context: Context): Subject {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`a rendering is not JSON: ${reading.refusal.code}`);
  return subjectOf(surfaceOf(address, reading.json), reading.json, context);
}

/** How a server presents itself is nothing to be used. */
function isAllowed(address: RawDefinition["address"], { only }: Policy): boolean {
  const used =
    address.kind === "tool" || address.kind === "prompt" || address.kind === "resource" || address.kind === "template";
  return only === undefined || !used || only.has(addressKey(address));
}

/** Whether a reason of the baseline gate keeps the definition from standing as it was approved. */
function unbinds(reason: Reason): boolean {
  return reason.gate === "baseline" && reason.code !== "MASKED_MUTATION";
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
  policy: Policy,
): readonly Reason[] {
  const own = ownBaselineReasons(definition, binding, snapshot, policy);
  if (definition.address.kind === "launch" || launchStanding(snapshot) !== "held") return own;
  return [...own, { gate: "baseline", code: "LAUNCH_CHANGED", drift: [] }];
}

function ownBaselineReasons(
  definition: RawDefinition,
  binding: Binding | undefined,
  snapshot: Snapshot,
  policy: Policy,
): readonly Reason[] {
  const { address, text, received } = definition;
  const { kind } = address;
  const plan = planFor(policy, address, binding);
  const reasons: Reason[] = [];
  if (!isAsSent(plan)) {
    const rendered = render(kind, text, received, plan);
    if (rendered.is === "unfit") reasons.push({ gate: "baseline", code: "PLAN_UNFIT", misfits: rendered.misfits });
  }
  const withdrawn = snapshot.withdrawn.get(withdrawnKey(received, addressKey(address)));
  if (binding === undefined) return [{ gate: "baseline", code: withdrawn ?? "NO_BASELINE" }, ...reasons];
  if (binding.expires !== undefined && binding.expires <= snapshot.now) return [{ gate: "baseline", code: "EXPIRED" }];
  if (!isSamePlan(plan, binding.plan)) reasons.unshift({ gate: "baseline", code: "PLAN_CHANGED" });
  if (binding.received === received) {
    textOf(binding.rendered, snapshot);
    return reasons;
  }
  const masked = !isAsSent(binding.plan) && digestOf(kind, contractOf(kind, text, binding.plan)) === binding.contract;
  // Somebody has turned the text down that the plan masks: the approved one stays, and nobody is asked again.
  if (withdrawn !== undefined) return masked ? reasons : [{ gate: "baseline", code: withdrawn }, ...reasons];
  const drift = driftUnder(binding.plan, definition, textOf(binding.received, snapshot));
  if (masked) {
    const told = drift.filter(({ at }) => binding.plan.set?.some((one) => one.at === at) !== true);
    return told.length === 0 ? reasons : [{ gate: "baseline", code: "MASKED_MUTATION", drift: told }, ...reasons];
  }
  const code = kind === "launch" ? "LAUNCH_CHANGED" : "DESCRIPTION_MUTATION";
  // A place that the plan sets and that is gone is told by the drift.
  return [{ gate: "baseline", code, drift }, ...reasons.filter((reason) => reason.code !== "PLAN_UNFIT")];
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
  { strict, fence }: Policy,
): Ruling {
  if (reasons.some(({ code }) => code === "GATE_FAILED" || code === "NOT_ALLOWED"))
    return { address, reasons, verdict: "refuse", received };
  const approved = !reasons.some(unbinds);
  const effects = new Set(
    reasons.map((reason) =>
      reason.code === "FINDING" && reason.in === "rendering" && !reason.acknowledged ? reason.finding.effect : "note",
    ),
  );
  if (effects.has("refuse") && (!approved || strict)) return { address, reasons, verdict: "refuse", received };
  if (!approved || binding === undefined) {
    const stands = address.kind === "server" && reasons.some(({ code }) => code === "DESCRIPTION_MUTATION");
    if (!stands || binding === undefined) return { address, reasons, verdict: "quarantine", received };
    return { address, reasons, verdict: "quarantine", received, standing: renderingOf(binding, snapshot, fence) };
  }
  return { address, reasons, verdict: "bind", received, rendering: renderingOf(binding, snapshot, fence) };
}

/** What is served is the stored text that was approved, not what the server sent just now. */
function renderingOf({ address, rendered, plan }: Binding, snapshot: Snapshot, fence: boolean): Rendering {
  const text = textOf(rendered, snapshot);
  // How a server presents itself is compared with what it says elsewhere, so it stays as it is.
  const marked = fence && address.kind !== "server" && address.kind !== "launch";
  return { text: marked ? fenced(address.kind, text, plan) : text, digest: rendered };
}

function textOf(digest: Binding["received"], snapshot: Snapshot): string {
  const text = snapshot.texts.get(digest);
  if (text === undefined) throw new Error(`the approved text of ${digest} is missing`);
  return text;
}

function refuseMalformed(offer: Pick<Offer, "server">, { kind, name, faults }: Malformed): Ruling {
  const address = { server: offer.server, kind, name: name ?? "" };
  const duplicate = faults.some(({ code }) => code === "DUPLICATE_NAME");
  return {
    address,
    reasons: [{ gate: duplicate ? "identity" : "schema", code: "MALFORMED", faults }],
    verdict: "refuse",
  };
}
