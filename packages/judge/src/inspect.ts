import {
  type Address,
  addressKey,
  type Digest,
  type Effect,
  type Finding,
  type Offer,
  type RawDefinition,
  readJson,
  type Snapshot,
  type Surface,
  surfaceOf,
  textOf,
} from "@countersign/core";
import { isTool } from "./is-tool.ts";
import { type Neighbourhood, neighbourhoodOf } from "./names/neighbourhood.ts";
import { type Siblings, siblingsOf } from "./names/siblings.ts";
import { type Vanished, vanishedFrom } from "./names/vanished.ts";
import type { Policy } from "./policy.ts";
import type { Claim, Context, Rule, Spoken, Subject, Text } from "./rule.ts";
import { collidingIdentifiers } from "./schema/identifiers.ts";
import { schemasOf } from "./schema/schemas-of.ts";
import { nameKey } from "./text/name-key.ts";
import { Reading } from "./text/reading.ts";
import { shareRead } from "./text/share-read.ts";

/** The surfaces and names that all definitions of an offer are judged against. */
export function contextOf(
  { definitions, malformed }: Pick<Offer, "definitions" | "malformed">,
  snapshot: Snapshot,
): Context {
  const own = new Set<string>();
  for (const { address } of [...definitions, ...snapshot.bindings.values()]) {
    if (isTool(address.kind)) own.add(address.name);
  }
  const foreign = new Set<string>();
  for (const { kind, name } of snapshot.neighbours) if (kind === "tool") foreign.add(name);
  let offer: Context["offer"] | undefined;
  let places: ReadonlyMap<Surface, number> | undefined;
  let spoken: Spoken | undefined;
  let neighbourhood: Neighbourhood | undefined;
  let siblings: Siblings | undefined;
  let vanished: Vanished | undefined;
  let identifiers: ReadonlySet<string> | undefined;
  let received: ReadonlyMap<string, Digest> | undefined;
  return {
    get offer() {
      offer ??= definitions.map(({ address, json }) => surfaceOf(address, json));
      return offer;
    },
    before(surface) {
      places ??= new Map(this.offer.map((one, index) => [one, index]));
      return this.offer[(places.get(surface) ?? 0) - 1];
    },
    get spoken() {
      spoken ??= spokenBy(this.offer, own);
      return spoken;
    },
    own,
    foreign,
    approved: snapshot.bindings,
    formerly(address) {
      received ??= new Map(definitions.map((one) => [addressKey(one.address), one.received]));
      return formerSurface(address, received, snapshot);
    },
    get neighbourhood() {
      neighbourhood ??= neighbourhoodOf(snapshot.neighbours);
      return neighbourhood;
    },
    get siblings() {
      siblings ??= siblingsOf(definitions.map(({ address }) => address));
      return siblings;
    },
    get vanished() {
      vanished ??= vanishedFrom({ definitions, malformed }, snapshot);
      return vanished;
    },
    get collidingIdentifiers() {
      identifiers ??= collidingIdentifiers(definitions, snapshot.identified);
      return identifiers;
    },
    readings: new Map(),
  };
}

function formerSurface(
  address: Address,
  offered: ReadonlyMap<string, Digest>,
  snapshot: Snapshot,
): Surface | undefined {
  const key = addressKey(address);
  const approved = snapshot.bindings.get(key)?.received;
  if (approved === undefined || offered.get(key) === approved) return undefined;
  const text = snapshot.texts.get(approved);
  const reading = text === undefined ? undefined : readJson(text);
  // Nothing to compare with is not nothing lost: the gate fails, and the definition with it.
  if (reading?.is !== "json") throw new Error(`the approved text of ${approved} is missing`);
  return surfaceOf(address, reading.json);
}

function spokenBy(offer: readonly Surface[], own: ReadonlySet<string>): Spoken {
  const tools = new Set([...own].map(nameKey));
  const words = new Set<string>();
  for (const { address, carriers } of offer) {
    if (!isTool(address.kind)) continue;
    for (const carrier of carriers) {
      const text = textOf(carrier);
      if (text === undefined || text.length > 128) continue;
      if (carrier.at === "/title" || carrier.at === "/annotations/title") tools.add(nameKey(text));
      const isName = carrier.part === "key" ? carrier.role === "identity" : carrier.role === "contract";
      if (isName) words.add(nameKey(text));
    }
  }
  return { tools, words };
}

export function subjectOf(surface: Surface, json: RawDefinition["json"], context: Context): Subject {
  const { read, unread } = shareRead(surface.carriers);
  const texts: readonly Text[] = read.map((one) => ({ ...one, reading: readingOf(one.text, context) }));
  const phrases = texts.filter(({ text }) => !/^[A-Za-z0-9]*$/.test(text));
  const { address } = surface;
  let schemas: Subject["schemas"] | undefined;
  return {
    address,
    json,
    surface,
    texts,
    phrases,
    unread,
    get schemas() {
      schemas ??= schemasOf(address, json);
      return schemas;
    },
    context,
  };
}

function readingOf(text: string, { readings }: Context): Reading {
  const known = readings.get(text);
  if (known !== undefined) return known;
  const reading = new Reading(text);
  readings.set(text, reading);
  return reading;
}

/** What the rules of one gate say about one definition, under the operator's severities. */
export function findingsOf(rules: readonly Rule[], subject: () => Subject, policy: Policy): readonly Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const severity = policy.severities.get(rule.id);
    if (severity === "off") continue;
    const counts: Record<Effect, number> = { refuse: 0, ask: 0, note: 0 };
    const last = new Map<Effect, number>();
    for (const claim of rule.inspect(subject())) {
      const finding = toFinding(rule, claim, severity);
      if (++counts[finding.effect] > most) continue;
      last.set(finding.effect, findings.length);
      findings.push(finding);
    }
    for (const [effect, index] of last) {
      const finding = findings[index];
      const more = counts[effect] - most;
      if (finding !== undefined && more > 0) findings[index] = withMore(finding, more);
    }
  }
  return findings;
}

/**
 * Findings of one effect that one rule may have about one definition. A hostile text can hold a million places; the
 * verdict needs one, a reviewer a few. The last one says how many there are besides.
 */
const most = 100;

function withMore(finding: Finding, more: number): Finding {
  return { ...finding, data: new Map([...finding.data, ["more", String(more)]]) };
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
