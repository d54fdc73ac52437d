import { addressKey } from "@countersign/core";
import type { Seen, Sighted } from "./event.ts";

/** What a sighting takes of its server's quota, and when (milliseconds since 1970). */
export interface Spent {
  readonly at: number;
  readonly weight: number;
}

/** How much the journal takes in about one server within an hour, while nobody decides anything about it. */
const quota = 30;
const hour = 3_600_000;

/** Changed definitions, and code units of their texts, that weigh as much as a sighting more. */
const step = 100;
const stepSize = 64 * 1024;

/**
 * @param before what its source showed the last time; a first sight weighs one however large it is, because it comes once
 */
export function spend(
  spent: readonly Spent[],
  at: number,
  now: Pick<Sighted, "definitions" | "size">,
  before: readonly Seen[] | undefined,
): readonly Spent[] {
  const keyOf = (one: Seen) => `${one.received} ${addressKey(one)}`;
  const were = new Set(before?.map(keyOf));
  const changed = now.definitions.filter((one) => !were.has(keyOf(one))).length;
  const more = Math.floor(changed / step) + Math.floor((now.size ?? 0) / stepSize);
  const weight = before === undefined ? 1 : 1 + more;
  // Each weighs one at least, so that older ones can never count again.
  return [...spent, { at, weight }].slice(-quota);
}

/**
 * Until when the server has offered too much that is new to be reviewed; undefined where it has not. Until then what it
 * offers may be something that the journal does not hold. A clock that was put back or forth by more than an hour frees
 * the quota: it costs space, and nobody is locked out for a year.
 */
export function unstableUntil(spent: readonly Spent[], now: number): number | undefined {
  let sum = 0;
  for (const { at, weight } of spent.toReversed()) {
    if (Math.abs(now - at) >= hour) continue;
    sum += weight;
    if (sum >= quota) return at + hour;
  }
  return undefined;
}
