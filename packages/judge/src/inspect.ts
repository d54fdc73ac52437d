import { type Finding, type RawDefinition, type Snapshot, type Surface, surfaceOf, textOf } from "@countersign/core";
import type { Policy } from "./policy.ts";
import type { Claim, Context, Rule, Subject, Text } from "./rule.ts";

/** The surfaces and names that all definitions of an offer are judged against. */
export function contextOf(definitions: readonly RawDefinition[], snapshot: Snapshot): Context {
  const offer = definitions.map(({ address, json }) => surfaceOf(address, json));
  const own = new Set<string>();
  for (const { address } of [...offer, ...snapshot.bindings.values()]) if (address.kind === "tool") own.add(address.name);
  const foreign = new Set<string>();
  for (const { kind, name } of snapshot.neighbours) if (kind === "tool") foreign.add(name);
  return { offer, own, foreign };
}

export function subjectOf(surface: Surface, json: RawDefinition["json"], context: Context): Subject {
  const texts: Text[] = [];
  for (const carrier of surface.carriers) {
    const text = textOf(carrier);
    if (text !== undefined) texts.push({ at: carrier.at, part: carrier.part, role: carrier.role, text });
  }
  return { address: surface.address, json, surface, texts, context };
}

/** What the rules of one gate say about one definition, under the operator's severities. */
export function findingsOf(rules: readonly Rule[], subject: Subject, policy: Policy): readonly Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const severity = policy.severities.get(rule.id);
    if (severity === "off") continue;
    for (const claim of rule.inspect(subject)) findings.push(toFinding(rule, claim, severity));
  }
  return findings;
}

function toFinding(rule: Rule, claim: Claim, severity: Finding["effect"] | undefined): Finding {
  return {
    rule: rule.id,
    at: claim.at,
    part: claim.part,
    ...(claim.span === undefined ? {} : { span: claim.span }),
    effect: severity ?? claim.effect ?? rule.effect,
    confidence: claim.confidence ?? rule.confidence,
    data: new Map(Object.entries(claim.data ?? {})),
  };
}
