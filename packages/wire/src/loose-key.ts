import { foldedKey, type Json, type Member } from "@countersign/core";

/**
 * Finds a key that none of these is, but that readers who fold case, or who end a key at NUL, take for one of them: they
 * would find something where this program looks and finds nothing, or find something else.
 */
export function looseKeyAmong(...names: readonly string[]): (json: Json | undefined) => Member | undefined {
  const known = new Set(names);
  const folded = new Set(names.map(foldedKey));
  return (json) =>
    json?.is === "object" ? json.members.find(({ key }) => !known.has(key) && folded.has(foldedKey(key))) : undefined;
}
