import {
  addressKey,
  type Binding,
  type Digest,
  type Kind,
  type Malformed,
  offerDigest,
  type ServerName,
  type Source,
  withdrawnKey,
} from "@countersign/core";
import { type Bypass, bypassOf } from "./bypass.ts";
import {
  type Approved,
  type ApprovedDefinition,
  isKeyEvent,
  type KeyEvent,
  type Seen,
  type ServerEvent,
  type Sighted,
  type Withdrawn,
} from "./event.ts";
import type { AccessKey, KeyId } from "./key.ts";
import { mostPrincipals, type PrincipalId } from "./principal.ts";
import { type Spent, spend } from "./quota.ts";
import type { Recorded } from "./recorded.ts";
import { afterCommon, noVariants, type Variants, withoutWithdrawn, withVariants } from "./variants.ts";

/** What all events up to `seq` amount to. A state is never changed: who holds one keeps it as it is. */
export interface State {
  readonly seq: number;
  /** The hash of the last event. */
  readonly head: Digest | undefined;
  readonly servers: ReadonlyMap<ServerName, ServerState>;
  /** All that there ever were, in the order in which they were added. */
  readonly keys: ReadonlyMap<KeyId, AccessKey>;
}

export interface ServerState {
  /** Of the last event about this server but what only one principal is offered, and of the last that was a decision. */
  readonly seq: number;
  readonly decided: number | undefined;
  /** For all, by `addressKey`. */
  readonly bindings: ReadonlyMap<string, Binding>;
  /** By `withdrawnKey`. */
  readonly withdrawn: ReadonlyMap<string, "REJECTED" | "REVOKED">;
  readonly variants: Variants;
  /** The last of each source, in common. */
  readonly sightings: ReadonlyMap<Source, Sighting>;
  /** What the sightings since the last decision took of the quota; a decision is somebody who looks, and frees it. */
  readonly spent: readonly Spent[];
  /** Those that were offered something else than what is offered in common. */
  readonly principals: ReadonlyMap<PrincipalId, PrincipalState>;
  /** The last one, unless it was ended, or an event shows that it is over. Whether it is in force is for the clock to say. */
  readonly bypass?: Bypass;
}

/** What one principal is offered, source by source; where it has none, it is what is offered in common. */
export interface PrincipalState {
  /** Milliseconds since 1970, of its last sighting. */
  readonly at: number;
  readonly sightings: ReadonlyMap<Source, Sighting>;
  readonly spent: readonly Spent[];
}

export interface Sighting {
  /** Of this sighting, and of the first one ever of this source. */
  readonly seq: number;
  readonly first: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly offer: Digest;
  readonly definitions: readonly Seen[];
  readonly malformed: readonly Malformed[];
}

export const emptyState: State = { seq: 0, head: undefined, servers: new Map(), keys: new Map() };

export const unknownServer: ServerState = {
  seq: 0,
  decided: undefined,
  bindings: new Map(),
  variants: noVariants,
  withdrawn: new Map(),
  sightings: new Map(),
  spent: [],
  principals: new Map(),
};

/** Whether `recorded` is the event that comes after everything in `state`. */
export function follows(state: Pick<State, "seq" | "head">, recorded: Pick<Recorded, "seq" | "previous">): boolean {
  return recorded.seq === state.seq + 1 && recorded.previous === state.head;
}

/** The state after one more event. INVARIANT: `recorded` follows `state`; the store has looked. */
export function fold(state: State, recorded: Recorded): State {
  const { event, seq, hash: head, at } = recorded;
  if (isKeyEvent(event)) return { ...state, seq, head, keys: foldKeys(state.keys, event, at) };
  const after = foldServer(state.servers.get(event.server) ?? unknownServer, { event, seq, at });
  return { ...state, seq, head, servers: new Map(state.servers).set(event.server, after) };
}

/** The first word on an identifier stands: nobody gets another key by its name, and none that was revoked comes back. */
function foldKeys(before: State["keys"], event: KeyEvent, at: number): State["keys"] {
  const known = before.get(event.key);
  switch (event.is) {
    case "key-added": {
      if (known !== undefined) return before;
      const { is: _, reason: __, ...key } = event;
      return new Map(before).set(event.key, { ...key, at });
    }
    case "key-revoked":
      if (known === undefined || known.revoked !== undefined) return before;
      return new Map(before).set(event.key, { ...known, revoked: { at, by: event.by } });
  }
}

interface AboutServer {
  readonly event: ServerEvent;
  readonly seq: number;
  readonly at: number;
}

function foldServer(before: ServerState, { seq, at, event }: AboutServer): ServerState {
  // What was seen to be over stays over, wherever the clock goes.
  const server = before.bypass !== undefined && at >= before.bypass.until ? withoutBypass(before) : before;
  switch (event.is) {
    case "sighted": {
      const { source, principal } = event;
      if (principal !== undefined) return sightedBy(principal, server, { seq, at, event });
      const last = server.sightings.get(source);
      const first = last?.first ?? seq;
      const common = { seq, first, at, ...seenBy(event, last) };
      const sightings = new Map(server.sightings).set(source, common);
      const principals = withoutCovered(server.principals, source, common);
      return { ...server, seq, sightings, principals, spent: spend(server.spent, at, event, last?.definitions) };
    }
    case "approved":
      return { ...freed(approve(server, event, seq)), seq, decided: seq };
    case "rejected":
    case "revoked":
      return { ...freed(withdraw(server, event)), seq, decided: seq };
    // Neither is a decision about what the server offers: nobody has looked at it, so its quota is what it was.
    case "bypassed":
      return { ...server, seq, bypass: bypassOf(event, at) };
    case "enforced":
      return { ...withoutBypass(server), seq };
  }
}

/** What one principal is offered changes nothing for anybody else, nor what somebody is deciding on for others. */
function sightedBy(
  principal: PrincipalId,
  server: ServerState,
  { event, seq, at }: { readonly event: Sighted; readonly seq: number; readonly at: number },
): ServerState {
  const { source } = event;
  const own = server.principals.get(principal) ?? { sightings: new Map<Source, Sighting>(), spent: [] };
  const last = own.sightings.get(source);
  const common = server.sightings.get(source);
  const shown = seenBy(event, last);
  const sightings = new Map(own.sightings);
  // Whoever is offered nothing but what all are has nothing of its own in this source any more.
  if (common !== undefined && isCovered(shown, common)) sightings.delete(source);
  else sightings.set(source, { seq, first: last?.first ?? seq, at, ...shown });
  const spent = spend(own.spent, at, event, (last ?? common)?.definitions);
  const principals = new Map(server.principals).set(principal, { at, sightings, spent });
  if (principals.size > mostPrincipals) principals.delete(oldestOf(server.principals));
  return { ...server, principals };
}

/** Those who are offered now what all are have nothing of their own in this source any more. */
function withoutCovered(principals: ServerState["principals"], source: Source, common: Shown): typeof principals {
  if (principals.size === 0) return principals;
  const after = new Map(principals);
  for (const [id, own] of principals) {
    const last = own.sightings.get(source);
    if (last === undefined || !isCovered(last, common)) continue;
    const sightings = new Map(own.sightings);
    sightings.delete(source);
    after.set(id, { ...own, sightings });
  }
  return after;
}

/** The one that comes to be forgotten when another takes its place; it is sighted again when it comes back. */
function oldestOf(principals: ServerState["principals"]): PrincipalId {
  const [first] = [...principals].toSorted(([, one], [, other]) => one.at - other.at);
  if (first === undefined) throw new RangeError("there is one where there are too many");
  return first[0];
}

/** Whether all of what is shown is in `common` too: then there is nothing in it to decide on. */
export function isCovered(shown: Shown, common: Shown): boolean {
  const textKey = (one: Seen) => `${one.received} ${addressKey(one)}`;
  const faultKey = ({ index, kind, name, faults }: Malformed) => JSON.stringify([index, kind, name, faults]);
  const texts = new Set(common.definitions.map(textKey));
  const faults = new Set(common.malformed.map(faultKey));
  return (
    shown.definitions.every((one) => texts.has(textKey(one))) &&
    shown.malformed.every((one) => faults.has(faultKey(one)))
  );
}

type Shown = Pick<Sighting, "definitions" | "malformed">;

/** Whoever decides has looked at what everybody is offered. */
function freed(server: ServerState): ServerState {
  const principals = [...server.principals]
    .filter(([, { sightings }]) => sightings.size > 0)
    .map(([id, own]) => [id, { ...own, spent: [] }] as const);
  return { ...server, spent: [], principals: new Map(principals) };
}

/** Bodies are seen one by one or several at a time, so a sighting says nothing about those that it does not hold. */
export function seenBy(
  event: Sighted,
  last: Sighting | undefined,
): Pick<Sighting, "offer" | "definitions" | "malformed"> {
  const { source, offer, definitions, malformed } = event;
  if (source !== "bodies") return { offer, definitions, malformed };
  const again = new Set([...definitions, ...malformed].map(keyOf));
  const kept = <T extends { readonly kind: Kind; readonly name?: string }>(were: readonly T[], are: readonly T[]) =>
    [...were.filter((one) => !again.has(keyOf(one))), ...are].slice(-mostBodies);
  const all = kept(last?.definitions ?? [], definitions);
  const rows = all.map(({ kind, name, received }) => ({ address: { kind, name }, received }));
  return {
    offer: offerDigest(rows),
    definitions: all,
    // Their places were those among the answers of one moment.
    malformed: kept(last?.malformed ?? [], malformed).map((one) => ({ ...one, index: 0 })),
  };
}

/** The oldest are forgotten first: whoever asks for such a one sights it again. */
const mostBodies = 1_000;

function keyOf({ kind, name = "" }: { readonly kind: Kind; readonly name?: string }): string {
  return addressKey({ kind, name });
}

function withoutBypass({ bypass: _, ...server }: ServerState): ServerState {
  return server;
}

/**
 * A binding holds one digest, so the former one is superseded and a server cannot roll back to it. Approving a digest
 * that was withdrawn lifts its withdrawal.
 */
function approve(server: ServerState, event: Approved, seq: number): ServerState {
  const bound = new Map(event.definitions.map((one) => [addressKey(one), bindingOf(one, event, seq)]));
  const withdrawn = new Map(server.withdrawn);
  for (const [key, { received }] of bound) withdrawn.delete(withdrawnKey(received, key));
  if (event.principals !== undefined)
    return { ...server, withdrawn, variants: withVariants(server.variants, bound, event.principals) };
  const variants = afterCommon(server.variants, server.bindings, bound, (principal, one) =>
    isOffered(server, principal, one),
  );
  return { ...server, withdrawn, variants, bindings: new Map([...server.bindings, ...bound]) };
}

function bindingOf(definition: ApprovedDefinition, event: Approved, seq: number): Binding {
  const { kind, name, received, contract, rendered, plan, acknowledged } = definition;
  const { server, by, ruleset, policy, expires } = event;
  return {
    address: { server, kind, name },
    ...{ received, contract, rendered, plan, acknowledged, by, seq, ruleset, policy },
    ...(expires === undefined ? {} : { expires }),
  };
}

/** The last word on a digest stands. A binding of that very digest goes; one of another digest was not spoken of. */
function withdraw(server: ServerState, event: Withdrawn): ServerState {
  const bindings = new Map(server.bindings);
  const withdrawn = new Map(server.withdrawn);
  for (const definition of event.definitions) {
    const key = addressKey(definition);
    withdrawn.set(withdrawnKey(definition.received, key), event.is === "rejected" ? "REJECTED" : "REVOKED");
    if (bindings.get(key)?.received === definition.received) bindings.delete(key);
  }
  return { ...server, bindings, withdrawn, variants: withoutWithdrawn(server.variants, event) };
}

/** Whether a principal is offered this very definition, by what was sighted last. */
function isOffered(
  { sightings, principals }: ServerState,
  principal: PrincipalId,
  { address, received }: Binding,
): boolean {
  const key = addressKey(address);
  const seen = new Map([...sightings, ...(principals.get(principal)?.sightings ?? [])]);
  return [...seen.values()].some(({ definitions }) =>
    definitions.some((one) => one.received === received && addressKey(one) === key),
  );
}
