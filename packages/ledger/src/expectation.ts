import { addressKey, type Digest, type Malformed, type Source } from "@countersign/core";
import { type Event, isKeyEvent, type Seen, type Sighted } from "./event.ts";
import { isCovered, type ServerState, type Sighting, type State, seenBy, unknownServer } from "./fold.ts";
import { type AccessKey, type KeyId, type KeyName, keyStanding } from "./key.ts";
import { keptFor, mostPrincipals, type PrincipalId } from "./principal.ts";
import { unstableUntil } from "./quota.ts";

/**
 * What must still hold of the event's server, or of the keys, for the event to be recorded. Compared and recorded in one
 * step.
 */
export type Expectation =
  /** No key has this identifier, and none that opens anything this name. */
  | { readonly is: "new-key"; readonly key: KeyId; readonly name?: KeyName }
  /** Each of these is what was last sighted, in one source or another: by each of `principals`, or else by anybody. */
  | { readonly is: "sighted"; readonly definitions: readonly Seen[]; readonly principals?: readonly PrincipalId[] }
  /** The sighting with this sequence number is the first of its source, and still the last. */
  | { readonly is: "first-sighting"; readonly source: Source; readonly seq: number }
  /** Nobody has approved, rejected or revoked anything of this server yet. */
  | { readonly is: "first-decision" }
  /** Nothing was recorded about this server after this sequence number, but what only one principal is offered. */
  | { readonly is: "unchanged-since"; readonly seq: number }
  /** The server has not used up its quota of sightings, in common or for this principal. Where it has, what it offers now may not be in the journal. */
  | { readonly is: "stable"; readonly principal?: PrincipalId };

/** Why an expectation failed. */
export type Movement =
  /** The keys that are in the way. */
  | { readonly is: "keyed"; readonly keys: readonly KeyId[] }
  /** `now` is what each source shows at that address instead; empty where it is gone. */
  | { readonly is: "sighted"; readonly definition: Seen; readonly now: readonly Digest[] }
  /** The first and the last sighting of the source that there are; absent where there is none. */
  | { readonly is: "resighted"; readonly source: Source; readonly first?: number; readonly last?: number }
  /** `seq` is that of the last decision, and of the last event, about the server. */
  | { readonly is: "decided"; readonly seq: number }
  | { readonly is: "changed"; readonly seq: number }
  /** Milliseconds since 1970. */
  | { readonly is: "unstable"; readonly until: number }
  /** There are as many principals already as may have sightings of their own, and this is another. */
  | { readonly is: "crowded" };

/** Everything that moved. Empty when all expectations hold. */
export function movements(
  state: State,
  event: Event,
  expectations: readonly Expectation[],
  now: () => number,
): readonly Movement[] {
  const server = isKeyEvent(event) ? unknownServer : (state.servers.get(event.server) ?? unknownServer);
  return expectations.flatMap((expectation) => movementsOf(server, state.keys, expectation, now));
}

function movementsOf(
  server: ServerState,
  keys: State["keys"],
  expectation: Expectation,
  now: () => number,
): readonly Movement[] {
  switch (expectation.is) {
    case "new-key": {
      const inTheWay = (one: AccessKey) =>
        one.key === expectation.key || (one.name === expectation.name && keyStanding(one, now()) === "live");
      const found = [...keys.values()].filter(inTheWay).map(({ key }) => key);
      return found.length === 0 ? [] : [{ is: "keyed", keys: found }];
    }
    case "sighted":
      return movedDefinitions(server, expectation.definitions, expectation.principals);
    case "first-sighting":
      return resighted(server, expectation.source, expectation.seq);
    case "first-decision":
      return server.decided === undefined ? [] : [{ is: "decided", seq: server.decided }];
    case "unchanged-since":
      return server.seq <= expectation.seq ? [] : [{ is: "changed", seq: server.seq }];
    case "stable": {
      const { principal } = expectation;
      if (principal !== undefined && isCrowded(server, principal, now())) return [{ is: "crowded" }];
      const until = unstableFor(server, principal, now());
      return until === undefined ? [] : [{ is: "unstable", until }];
    }
  }
}

/** Until when the server offers too much that is new to be reviewed: in common, or to one principal. */
export function unstableFor(
  { spent, principals }: ServerState,
  principal: PrincipalId | undefined,
  now: number,
): number | undefined {
  return unstableUntil(principal === undefined ? spent : (principals.get(principal)?.spent ?? []), now);
}

/** Whether another principal would have to be forgotten too early for this one to be taken in. */
function isCrowded({ principals }: ServerState, id: PrincipalId, now: number): boolean {
  if (principals.has(id) || principals.size < mostPrincipals) return false;
  return [...principals.values()].every(({ at }) => Math.abs(now - at) < keptFor);
}

function movedDefinitions(
  { sightings, principals }: ServerState,
  definitions: readonly Seen[],
  of: readonly PrincipalId[] | undefined,
): readonly Movement[] {
  const theirs = (id: PrincipalId) => digestsIn([...(principals.get(id)?.sightings.values() ?? [])]);
  const everybody = () =>
    digestsIn([...sightings.values(), ...[...principals.values()].flatMap((one) => [...one.sightings.values()])]);
  return (of?.map(theirs) ?? [everybody()]).flatMap((sighted) =>
    definitions.flatMap((definition): readonly Movement[] => {
      const now = sighted.get(addressKey(definition)) ?? new Set();
      return now.has(definition.received) ? [] : [{ is: "sighted", definition, now: [...now] }];
    }),
  );
}

function digestsIn(sightings: readonly Sighting[]): ReadonlyMap<string, ReadonlySet<Digest>> {
  const digests = new Map<string, Set<Digest>>();
  for (const { definitions } of sightings) {
    for (const one of definitions) {
      const key = addressKey(one);
      digests.set(key, (digests.get(key) ?? new Set()).add(one.received));
    }
  }
  return digests;
}

function resighted({ sightings }: ServerState, source: Source, seq: number): readonly Movement[] {
  const sighting = sightings.get(source);
  if (sighting === undefined) return [{ is: "resighted", source }];
  const { first, seq: last } = sighting;
  return first === seq && last === seq ? [] : [{ is: "resighted", source, first, last }];
}

/** Whether the event is a sighting of what was there the last time: for one principal, or in common. */
export function repeats(state: State, event: Event): boolean {
  if (event.is !== "sighted") return false;
  const server = state.servers.get(event.server) ?? unknownServer;
  const common = server.sightings.get(event.source);
  if (event.principal === undefined) return common !== undefined && isAgain(common, event);
  const own = server.principals.get(event.principal)?.sightings.get(event.source);
  if (own !== undefined) return isAgain(own, event);
  return common !== undefined && (isAgain(common, event) || isCovered(event, common));
}

function isAgain(last: Sighting, event: Sighted): boolean {
  const now = seenBy(event, last);
  return last.offer === now.offer && sameMalformed(last.malformed, now.malformed);
}

function sameMalformed(before: readonly Malformed[], after: readonly Malformed[]): boolean {
  const rows = (list: readonly Malformed[]) =>
    JSON.stringify(
      list
        .map(({ index, kind, name, faults }) =>
          JSON.stringify([index, kind, name, faults.map(({ code, at }) => [code, at])]),
        )
        .sort(),
    );
  return before.length === after.length && rows(before) === rows(after);
}
