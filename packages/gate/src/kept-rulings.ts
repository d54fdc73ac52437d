import { isDeepStrictEqual } from "node:util";
import type { Digest, Offer, Ruling, Source } from "@countersign/core";
import type { LedgerSnapshot } from "@countersign/ledger";
import { allBindings } from "./snapshot-for.ts";

interface Made {
  readonly snapshot: LedgerSnapshot;
  readonly rulings: readonly Ruling[];
  /** The digest under which the journal took the offer in; undefined where it did not. */
  readonly journalled: Digest | undefined;
}

interface Kept extends Made {
  readonly offer: Offer;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * The last rulings of one connection, of each source. They stand for the offer that they were made for, and for one of the
 * same definitions in the same order, as long as all that they were made of is the same.
 */
export class KeptRulings {
  readonly #kept = new Map<Source, Kept>();

  find(offer: Offer, snapshot: LedgerSnapshot, now: number): Kept | undefined {
    const kept = this.#kept.get(offer.source);
    if (kept === undefined || now >= kept.until) return undefined;
    return isSameToGates(kept.snapshot, snapshot) && isSameOffer(kept.offer, offer) ? kept : undefined;
  }

  journalledAs(offer: Offer): Digest | undefined {
    const kept = this.#kept.get(offer.source);
    return kept?.offer === offer ? kept.journalled : undefined;
  }

  keep(offer: Offer, made: Made): void {
    const known = this.#kept.get(offer.source);
    if (known === made && known.offer === offer) return;
    const { snapshot, rulings, journalled } = made;
    this.#kept.set(offer.source, { offer, snapshot, rulings, journalled, until: endOf(snapshot) });
  }
}

/** The time is not compared: it counts when something ends. */
function isSameToGates(one: LedgerSnapshot, other: LedgerSnapshot): boolean {
  return (
    one.bindings === other.bindings &&
    one.variants === other.variants &&
    one.withdrawn === other.withdrawn &&
    one.texts === other.texts &&
    one.neighbours === other.neighbours &&
    one.identified === other.identified &&
    one.launch === other.launch &&
    one.bypass === other.bypass &&
    one.unstableUntil === other.unstableUntil
  );
}

/** When the next of all that was decided for a time comes to its end. */
function endOf(snapshot: LedgerSnapshot): number {
  const { now, unstableUntil, bypass } = snapshot;
  const ends = [unstableUntil, bypass?.until, ...[...allBindings(snapshot)].map(({ expires }) => expires)];
  return ends.reduce(
    (until: number, end = until) => (end > now ? Math.min(until, end) : until),
    Number.POSITIVE_INFINITY,
  );
}

function isSameOffer(one: Offer, other: Offer): boolean {
  if (one.definitions === other.definitions && one.malformed === other.malformed) return true;
  return (
    one.digest === other.digest &&
    one.definitions.length === other.definitions.length &&
    one.definitions.every(({ address: { kind, name }, received }, index) => {
      const same = other.definitions[index];
      return received === same?.received && kind === same.address.kind && name === same.address.name;
    }) &&
    isDeepStrictEqual(one.malformed, other.malformed)
  );
}
