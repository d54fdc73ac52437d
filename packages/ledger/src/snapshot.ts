import { type Address, addressKey, type Binding, type Digest, type ServerName, type Snapshot } from "@countersign/core";
import { isInForce } from "./bypass.ts";
import { unstableFor } from "./expectation.ts";
import { type ServerState, type State, unknownServer } from "./fold.ts";
import type { PrincipalId } from "./principal.ts";
import type { Variants } from "./variants.ts";

/** What a ledger knows of a server: all that the gates need, and what is bound for some principals only. */
export interface LedgerSnapshot extends Snapshot {
  /** Absent where there are none. `texts` has theirs. */
  readonly variants?: Variants;
}

/** The digests whose texts `snapshotOf` needs. */
export function boundDigests(state: State, server: ServerName): ReadonlySet<Digest> {
  const digests = new Set<Digest>();
  for (const { received, rendered } of allBindings(state.servers.get(server) ?? unknownServer)) {
    digests.add(received).add(rendered);
  }
  return digests;
}

function* allBindings({ bindings, variants }: ServerState): Iterable<Binding> {
  yield* bindings.values();
  for (const own of variants.of.values()) yield* own.values();
}

/** The digests of what all other servers have approved of tools. */
export function neighbourDigests(state: State, server: ServerName): ReadonlySet<Digest> {
  const digests = new Set<Digest>();
  for (const [name, other] of state.servers) {
    if (name === server) continue;
    for (const { address, rendered } of allBindings(other)) if (address.kind === "tool") digests.add(rendered);
  }
  return digests;
}

/** Whether a text may hold the key `$id`: as it is mostly written, or with some character of the ASCII range escaped. */
export function mayIdentify(text: string): boolean {
  return text.includes('$id"') || /\\u00/.test(text);
}

/** What the gates need to know of one server, but for the time and what depends on it. */
export type Timeless = Omit<LedgerSnapshot, keyof Timely>;

type Timely = Pick<Snapshot, "now" | "unstableUntil" | "bypass">;

/** `launch` is the one that was last sighted. */
export function snapshotOf(
  state: State,
  server: ServerName,
  texts: Snapshot["texts"],
  identified: Snapshot["identified"],
): Timeless {
  const { bindings, variants, withdrawn, sightings } = state.servers.get(server) ?? unknownServer;
  const launch = sightings.get("launch")?.definitions[0]?.received;
  const { seq } = state;
  return {
    ...{ seq, bindings, withdrawn, texts, neighbours: neighboursOf(state, server), identified, launch },
    ...(variants.of.size === 0 ? {} : { variants }),
  };
}

/**
 * The same snapshot, with what did not change since `known` being the same objects: whoever has ruled by them need not rule
 * again because of an event about another server.
 */
export function keeping(known: Timeless | undefined, now: Timeless): Timeless {
  if (known === undefined) return now;
  const kept = known.bindings === now.bindings && known.variants === now.variants;
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
export function timelyOf(server: ServerState, now: number, principal: PrincipalId | undefined): Timely {
  const { bypass } = server;
  const until = unstableFor(server, principal, now);
  return {
    now,
    ...(until === undefined ? {} : { unstableUntil: until }),
    ...(bypass === undefined || !isInForce(bypass, now) ? {} : { bypass }),
  };
}

function neighboursOf(state: State, server: ServerName): readonly Address[] {
  const neighbours: Address[] = [];
  for (const [name, other] of state.servers) {
    if (name === server) continue;
    const tools = new Map<string, Address>();
    for (const { address } of allBindings(other)) if (address.kind === "tool") tools.set(addressKey(address), address);
    neighbours.push(...tools.values());
  }
  return neighbours;
}
