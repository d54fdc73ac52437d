import type { Address, Digest, ServerName, Snapshot } from "@countersign/core";
import { isInForce } from "./bypass.ts";
import { type ServerState, type State, unknownServer } from "./fold.ts";
import { unstableUntil } from "./quota.ts";

/** The digests whose texts `snapshotOf` needs. */
export function boundDigests(state: State, server: ServerName): ReadonlySet<Digest> {
  const digests = new Set<Digest>();
  for (const { received, rendered } of (state.servers.get(server) ?? unknownServer).bindings.values()) {
    digests.add(received).add(rendered);
  }
  return digests;
}

/** The digests of what all other servers have approved of tools. */
export function neighbourDigests(state: State, server: ServerName): ReadonlySet<Digest> {
  const digests = new Set<Digest>();
  for (const [name, { bindings }] of state.servers) {
    if (name === server) continue;
    for (const { address, rendered } of bindings.values()) if (address.kind === "tool") digests.add(rendered);
  }
  return digests;
}

/** Whether a text may hold the key `$id`: as it is mostly written, or with some character of the ASCII range escaped. */
export function mayIdentify(text: string): boolean {
  return text.includes('$id"') || /\\u00/.test(text);
}

/** What the gates need to know of one server, but for the time and what depends on it. */
export type Timeless = Omit<Snapshot, keyof Timely>;

type Timely = Pick<Snapshot, "now" | "unstableUntil" | "bypass">;

/** `launch` is the one that was last sighted. */
export function snapshotOf(
  state: State,
  server: ServerName,
  texts: Snapshot["texts"],
  identified: Snapshot["identified"],
): Timeless {
  const { bindings, withdrawn, sightings } = state.servers.get(server) ?? unknownServer;
  const launch = sightings.get("launch")?.definitions[0]?.received;
  return { seq: state.seq, bindings, withdrawn, texts, neighbours: neighboursOf(state, server), identified, launch };
}

/**
 * The same snapshot, with what did not change since `known` being the same objects: whoever has ruled by them need not rule
 * again because of an event about another server.
 */
export function keeping(known: Timeless | undefined, now: Timeless): Timeless {
  if (known === undefined) return now;
  const kept = known.bindings === now.bindings;
  return {
    ...now,
    texts: kept ? known.texts : now.texts,
    neighbours: areSame(known.neighbours, now.neighbours) ? known.neighbours : now.neighbours,
    identified: areEqual(known.identified, now.identified) ? known.identified : now.identified,
  };
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function areSame(some: readonly Address[], others: readonly Address[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index];
      return one.server === other?.server && one.kind === other.kind && one.name === other.name;
    })
  );
}

/** What depends on the time. */
export function timelyOf({ spent, bypass }: ServerState, now: number): Timely {
  const until = unstableUntil(spent, now);
  return {
    now,
    ...(until === undefined ? {} : { unstableUntil: until }),
    ...(bypass === undefined || !isInForce(bypass, now) ? {} : { bypass }),
  };
}

function neighboursOf(state: State, server: ServerName): readonly Address[] {
  const neighbours: Address[] = [];
  for (const [name, { bindings }] of state.servers) {
    if (name === server) continue;
    for (const { address } of bindings.values()) if (address.kind === "tool") neighbours.push(address);
  }
  return neighbours;
}
