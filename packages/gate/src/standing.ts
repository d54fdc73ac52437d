import {
  addressKey,
  type Digest,
  type Malformed,
  type Offer,
  offerDigest,
  type Plan,
  type RawDefinition,
  type Ruling,
  readJson,
  type ServerName,
  type Snapshot,
} from "@countersign/core";
import { type Policy, planFor, rule } from "@countersign/judge";
import type { Ledger, Sighting } from "@countersign/ledger";
import { withinReach } from "./within-reach.ts";

/** One definition that a server last offered, with the ruling of this moment. */
export interface Stood {
  readonly definition: RawDefinition;
  readonly ruling: Ruling;
  /** What an approval would store it under. */
  readonly plan: Plan;
}

/** What one server last offered, over all its lists, and what is ruled on it now. */
export interface Standing {
  readonly server: ServerName;
  /** Names all that is offered; absent where nothing was sighted yet. */
  readonly offer: Digest;
  readonly definitions: readonly Stood[];
  readonly malformed: readonly Malformed[];
  /** Approved, but no longer offered by the server. */
  readonly gone: readonly { readonly kind: string; readonly name: string }[];
  /** The last ledger event about this server that is reflected here. */
  readonly seq: number;
  /** Milliseconds since 1970, of the last sighting that brought something new. */
  readonly sighted: number;
  readonly snapshot: Snapshot;
}

/** Reads back what `run` last sighted of a server. Undefined where it was never run. */
export async function standingOf(ledger: Ledger, server: ServerName, policy: Policy): Promise<Standing | undefined> {
  const state = (await ledger.state()).servers.get(server);
  if (state === undefined) return undefined;
  const snapshot = await ledger.snapshot(server);
  const all: Stood[] = [];
  const malformed: Malformed[] = [];
  let sighted = 0;
  for (const [source, sighting] of state.sightings) {
    const offer = await readBack(ledger, server, source, sighting);
    const rulings = rule(offer, snapshot, policy);
    for (const [index, definition] of offer.definitions.entries()) {
      const ruling = rulings[index];
      if (ruling === undefined) throw new RangeError("a definition has no ruling");
      const plan = planFor(policy, definition.address, snapshot.bindings.get(addressKey(definition.address)));
      all.push({ definition, ruling, plan });
    }
    malformed.push(...sighting.malformed);
    sighted = Math.max(sighted, sighting.at);
  }
  const definitions = withinReach(all);
  const offered = new Set(definitions.map(({ definition }) => addressKey(definition.address)));
  const gone = [...snapshot.bindings.values()]
    .map(({ address }) => address)
    .filter((one) => !offered.has(addressKey(one)));
  const offer = offerDigest(definitions.map(({ definition }) => definition));
  return { server, offer, definitions, malformed, gone, seq: state.seq, sighted, snapshot };
}

async function readBack(
  ledger: Ledger,
  server: ServerName,
  source: Offer["source"],
  sighting: Sighting,
): Promise<Offer> {
  const definitions: RawDefinition[] = [];
  for (const { kind, name, received } of sighting.definitions) {
    const text = await ledger.text(received);
    const reading = text === undefined ? undefined : readJson(text);
    if (text === undefined || reading?.is !== "json") {
      throw new Error(
        `Cannot show ${kind} ${received} of ${server}: the ledger lacks its text; run countersign log --verify`,
      );
    }
    definitions.push({ address: { server, kind, name }, text, json: reading.json, received });
  }
  return { server, source, digest: sighting.offer, definitions, malformed: sighting.malformed };
}

/** Whether a definition waits for a decision. */
export function waits({ ruling }: Stood): boolean {
  if (ruling.verdict === "bind" || carriesOver(ruling)) return false;
  return !ruling.reasons.some(({ code }) => code === "REJECTED" || code === "GATE_FAILED" || code === "NOT_ALLOWED");
}

/** Whether the server has another text now, which the model does not read until somebody approves it. */
export function isMaskedNews({ ruling, plan }: Stood): boolean {
  const masked = ruling.reasons.some(({ code }) => code === "MASKED_MUTATION");
  return ruling.verdict === "bind" && plan.prose === "frozen" && masked;
}

/**
 * Whether a rule that nobody heard when it was approved speaks against it: a new rule, or one that was given more weight
 * since; or whether its server has another text for it. It stays bound, and waits for another look.
 */
export function asksAgain(stood: Stood): boolean {
  const { ruling } = stood;
  return (ruling.verdict === "bind" && objectionsTo(ruling).length > 0) || isMaskedNews(stood);
}

/** Whether it is approved as it is, and only the server is not reached as it was: that is one decision, about the launch. */
export function carriesOver({ address, reasons }: Ruling): boolean {
  const baseline = reasons.filter(({ gate }) => gate === "baseline");
  return address.kind !== "launch" && baseline.length > 0 && baseline.every(({ code }) => code === "LAUNCH_CHANGED");
}

export function isSame(one: Stood, other: Stood): boolean {
  const [a, b] = [one.definition, other.definition];
  return addressKey(a.address) === addressKey(b.address) && a.received === b.received;
}

/** Whether nothing but the missing approval keeps it out. */
export function isClean(ruling: Ruling): boolean {
  return ruling.reasons.every(
    (reason) =>
      reason.code === "NO_BASELINE" ||
      (reason.code === "LAUNCH_CHANGED" && reason.drift.length === 0) ||
      (reason.code === "FINDING" && reason.finding.effect === "note"),
  );
}

/** The rules that ask about a definition or refuse it, and that nobody has acknowledged for its digest. */
export function objectionsTo(ruling: Ruling): readonly string[] {
  const rules = new Set<string>();
  for (const reason of ruling.reasons) {
    if (reason.code === "FINDING" && !reason.acknowledged && reason.finding.effect !== "note")
      rules.add(reason.finding.rule);
  }
  return [...rules];
}
