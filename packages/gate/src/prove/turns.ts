import type { Carrier } from "./carriers.ts";
import { type Mutation, mutations } from "./mutations.ts";

/** Deals mutations out so that carriers of one sort get each of them about equally often. */
export interface Turns {
  /** All mutations, the ones first that carriers of this sort have had least often. */
  readonly next: (carrier: Carrier) => readonly Mutation[];
  readonly took: (carrier: Carrier, mutation: Mutation) => void;
}

export function dealTurns(random: () => number): Turns {
  const taken = new Map<string, Map<Mutation, number>>();
  const of = (carrier: Carrier) => {
    const sort = sortOf(carrier);
    const counts = taken.get(sort) ?? new Map<Mutation, number>();
    taken.set(sort, counts);
    return counts;
  };
  return {
    next: (carrier) => {
      const counts = of(carrier);
      const first = Math.floor(random() * mutations.length);
      const order = [...mutations.slice(first), ...mutations.slice(0, first)];
      return order.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    },
    took: (carrier, mutation) => {
      const counts = of(carrier);
      counts.set(mutation, (counts.get(mutation) ?? 0) + 1);
    },
  };
}

function sortOf({ part, value }: Carrier): string {
  if (part === "key") return "key";
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
