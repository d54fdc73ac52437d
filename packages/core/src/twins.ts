import type { Json, Member } from "./json.ts";
import { memberPlace, type Place } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";

/**
 * What a key is to the readers that compare keys loosely: Go's `encoding/json` folds case with Unicode simple folding
 * (so `ſ` is s and the Kelvin sign is k), Java's `equalsIgnoreCase` takes dotted and dotless i for i, and C strings end
 * at NUL.
 */
export function foldedKey(key: string): string {
  if (/^[\x20-\x40\x5b-\x7e]*$/.test(key)) return key; // as almost every key is
  const end = key.indexOf("\u0000");
  return (end < 0 ? key : key.slice(0, end)).replaceAll("\u0130", "i").toUpperCase().toLowerCase();
}

/**
 * The first key that some readers take for a known key, so that two hosts would read two definitions. Maps, whose keys
 * are names (`properties`), have no known keys and so no twins.
 */
export function findTwin(json: Json, place: Place, at: Pointer = root): Pointer | undefined {
  if (json.is === "array") {
    for (const [index, item] of json.items.entries()) {
      const twin = findTwin(item, place.items, below(at, index));
      if (twin !== undefined) return twin;
    }
  }
  if (json.is !== "object") return undefined;
  const twin = place.known.size > 0 ? twinAmong(json.members, place.known) : undefined;
  if (twin !== undefined) return below(at, twin);
  for (const { key, value } of json.members) {
    const inner = findTwin(value, memberPlace(place, key), below(at, key));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/**
 * The first of an object's keys that stands beside another spelling of itself (`description`, `Description`), where
 * readers know it in some spelling. A key that holds NUL is always one: readers do not agree on what is left of it.
 */
export function twinAmong(
  members: readonly Member[],
  known: ReadonlySet<string> | ReadonlyMap<string, unknown>,
): string | undefined {
  const seen = new Set<string>();
  for (const { key } of members) {
    if (key.includes("\u0000")) return key;
    const folded = foldedKey(key);
    if (seen.has(folded) && [...known.keys()].some((one) => foldedKey(one) === folded)) return key;
    seen.add(folded);
  }
  return undefined;
}
