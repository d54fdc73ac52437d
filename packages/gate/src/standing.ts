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
} from "@countersign/core";
import { type Policy, planFor, ruleOnSome } from "@countersign/judge";
import type { Ledger, LedgerSnapshot, PrincipalId, Sighting } from "@countersign/ledger";
import { allBindings, snapshotFor } from "./snapshot-for.ts";
import { withinReach } from "./within-reach.ts";

/** One definition that a server last offered, with the ruling of this moment. */
export interface Stood {
  readonly definition: RawDefinition;
  readonly ruling: Ruling;
  /** What an approval would store it under. */
  readonly plan: Plan;
  /** Only these are offered it: sorted, and not empty. Absent where it is what all are offered. */
  readonly principals?: readonly PrincipalId[];
}

/** What one server last offered, over all its lists and to everybody, and what is ruled on it now. */
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
  readonly snapshot: LedgerSnapshot;
}

/** Reads back what was last sighted of a server. Undefined where it was never run. */
export async function standingOf(ledger: Ledger, server: ServerName, policy: Policy): Promise<Standing | undefined> {
  const state = (await ledger.state()).servers.get(server);
  if (state === undefined) return undefined;
  const snapshot = await ledger.snapshot(server);
  const common = await stoodIn(ledger, server, { sightings: state.sightings, snapshot, policy, known: new Set() });
  const all = [...common];
  const own = new Map<string, { readonly stood: Stood; readonly principals: PrincipalId[] }>();
  const known = new Set(common.map(keyOf));
  const theirs: Sighting[] = [];
  for (const [principal, { sightings }] of state.principals) {
    theirs.push(...sightings.values());
    for (const { definitions } of sightings.values())
      for (const one of definitions) own.get(textKey(one, one.received))?.principals.push(principal);
    const of = { sightings, snapshot: await ledger.snapshot(server, principal), policy, known };
    for (const stood of await stoodIn(ledger, server, { ...of, principal })) {
      own.set(keyOf(stood), { stood, principals: [principal] });
      known.add(keyOf(stood));
    }
  }
  for (const { stood, principals } of own.values()) all.push({ ...stood, principals: [...new Set(principals)].sort() });
  const definitions = withinReach(all);
  const offered = new Set(definitions.map(({ definition }) => addressKey(definition.address)));
  const gone = new Map([...allBindings(snapshot)].map(({ address }) => [addressKey(address), address]));
  for (const key of offered) gone.delete(key);
  const offer = offerDigest(
    definitions.map(({ definition, principals }) => ({ ...definition, ...ofWhom(principals) })),
  );
  return {
    ...{
      server,
      offer,
      definitions,
      malformed: malformedIn(state.sightings, theirs),
      gone: [...gone.values()],
      seq: state.seq,
    },
    sighted: Math.max(0, ...[...state.sightings.values(), ...theirs].map(({ at }) => at)),
    snapshot,
  };
}

interface Sighted {
  readonly sightings: ReadonlyMap<Offer["source"], Sighting>;
  readonly snapshot: LedgerSnapshot;
  readonly policy: Policy;
  readonly principal?: PrincipalId;
  /** By `keyOf`: what was ruled on already. */
  readonly known: ReadonlySet<string>;
}

async function stoodIn(ledger: Ledger, server: ServerName, of: Sighted): Promise<readonly Stood[]> {
  const { sightings, policy, known, principal } = of;
  const all: Stood[] = [];
  for (const [source, sighting] of sightings) {
    if (sighting.definitions.length > 0 && sighting.definitions.every((one) => known.has(textKey(one, one.received))))
      continue;
    const offer = await readBack(ledger, server, source, sighting);
    const snapshot = snapshotFor(offer.definitions, of.snapshot, principal);
    const isNew = ({ address, received }: RawDefinition) => !known.has(textKey(address, received));
    for (const [index, ruling] of ruleOnSome(offer, isNew, snapshot, policy)) {
      const definition = offer.definitions[index];
      if (definition === undefined) throw new RangeError("a ruling is on no definition");
      const plan = planFor(policy, definition.address, snapshot.bindings.get(addressKey(definition.address)));
      all.push({ definition, ruling, plan });
    }
  }
  return all;
}

function keyOf({ definition: { address, received } }: Stood): string {
  return textKey(address, received);
}

function textKey(address: Pick<RawDefinition["address"], "kind" | "name">, received: Digest): string {
  return `${received} ${addressKey(address)}`;
}

function ofWhom(principals: Stood["principals"]): Pick<Stood, "principals"> {
  return principals === undefined ? {} : { principals };
}

/** What is malformed for several principals is one fault. */
function malformedIn(common: Sighted["sightings"], theirs: readonly Sighting[]): readonly Malformed[] {
  const all = [...common.values()].flatMap(({ malformed }) => malformed);
  const faultOf = ({ kind, name, faults }: Malformed) => JSON.stringify([kind, name, faults]);
  const known = new Set(all.map(faultOf));
  const own = new Map(theirs.flatMap(({ malformed }) => malformed).map((one) => [faultOf(one), one]));
  return [...all, ...[...own].filter(([fault]) => !known.has(fault)).map(([, one]) => one)];
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
