import type { Json } from "./json.ts";
import { memberPlace, type Place } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";

/**
 * What a key is to the readers that compare keys loosely: Go's `encoding/json` folds case with Unicode simple folding
 * (so `ſ` is s and the Kelvin sign is k), and C strings end at NUL.
 */
export function foldedKey(key: string): string {
  return key.replaceAll("\u0000", "").toUpperCase().toLowerCase();
}

/**
 * The first key that some readers take for a known key standing beside it (`description`, `Description`), so that two
 * hosts would read two definitions. Maps, whose keys are names (`properties`), have no known keys and so no twins.
 */
export function findTwin(json: Json, place: Place, at: Pointer = root): Pointer | undefined {
  if (json.is === "array") {
    for (const [index, item] of json.items.entries()) {
      const twin = findTwin(item, place.items, below(at, index));
      if (twin !== undefined) return twin;
    }
  }
  if (json.is !== "object") return undefined;
  const keys = place.known.size > 0 ? new Map<string, string>() : undefined;
  for (const { key, value } of json.members) {
    if (keys !== undefined) {
      const folded = foldedKey(key);
      const other = keys.get(folded);
      if (other !== undefined && (place.known.has(key) || place.known.has(other))) return below(at, key);
      keys.set(folded, key);
    }
    const twin = findTwin(value, memberPlace(place, key), below(at, key));
    if (twin !== undefined) return twin;
  }
  return undefined;
}
