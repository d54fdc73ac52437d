import { addressKey, type Digest, type Malformed, type Source } from "@countersign/core";
import { type Event, isKeyEvent, type Seen } from "./event.ts";
import { type ServerState, type State, seenBy, unknownServer } from "./fold.ts";
import { type AccessKey, type KeyId, type KeyName, keyStanding } from "./key.ts";
import { unstableUntil } from "./quota.ts";

/**
 * What must still hold of the event's server, or of the keys, for the event to be recorded. Compared and recorded in one
 * step.
 */
export type Expectation =
  /** No key has this identifier, and none that opens anything this name. */
  | { readonly is: "new-key"; readonly key: KeyId; readonly name?: KeyName }
  /** Each of these is what was last sighted, in one source or another. */
  | { readonly is: "sighted"; readonly definitions: readonly Seen[] }
  /** The sighting with this sequence number is the first of its source, and still the last. */
  | { readonly is: "first-sighting"; readonly source: Source; readonly seq: number }
  /** Nobody has approved, rejected or revoked anything of this server yet. */
  | { readonly is: "first-decision" }
  /** Nothing was recorded about this server after this sequence number. */
  | { readonly is: "unchanged-since"; readonly seq: number }
  /** The server has not used up its quota of sightings. Where it has, what it offers now may not be in the journal. */
  | { readonly is: "stable" };

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
  | { readonly is: "unstable"; readonly until: number };

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
      return movedDefinitions(server, expectation.definitions);
    case "first-sighting":
      return resighted(server, expectation.source, expectation.seq);
    case "first-decision":
      return server.decided === undefined ? [] : [{ is: "decided", seq: server.decided }];
    case "unchanged-since":
      return server.seq <= expectation.seq ? [] : [{ is: "changed", seq: server.seq }];
    case "stable": {
      const until = unstableUntil(server.spent, now());
      return until === undefined ? [] : [{ is: "unstable", until }];
    }
  }
}

function movedDefinitions({ sightings }: ServerState, definitions: readonly Seen[]): readonly Movement[] {
  const sighted = new Map<string, Set<Digest>>();
  for (const { definitions } of sightings.values()) {
    for (const one of definitions) {
      const key = addressKey(one);
      sighted.set(key, (sighted.get(key) ?? new Set()).add(one.received));
    }
  }
  return definitions.flatMap((definition): readonly Movement[] => {
    const now = sighted.get(addressKey(definition)) ?? new Set();
    return now.has(definition.received) ? [] : [{ is: "sighted", definition, now: [...now] }];
  });
}

function resighted({ sightings }: ServerState, source: Source, seq: number): readonly Movement[] {
  const sighting = sightings.get(source);
  if (sighting === undefined) return [{ is: "resighted", source }];
  const { first, seq: last } = sighting;
  return first === seq && last === seq ? [] : [{ is: "resighted", source, first, last }];
}

/** Whether the event is a sighting of what was there the last time. */
export function repeats(state: State, event: Event): boolean {
  if (event.is !== "sighted") return false;
  const last = state.servers.get(event.server)?.sightings.get(event.source);
  if (last === undefined) return false;
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
