import { latinOf } from "../text/latin-of.ts";

/**
 * A name as somebody takes it who does not look twice: without case and separators, with look-alikes as the Latin letters
 * they pass for. Names with the same skeleton are told apart by looking closely, or by a machine.
 */
export function skeletonOf(name: string): string {
  const joined = /[^\x20-\x7e]/.test(name)
    ? latinised(name).replace(/[^\p{L}\p{N}\p{M}]+/gu, "")
    : name.toLowerCase().replace(/[^a-z0-9]+/g, "");
  if (joined.length < shortest) return joined;
  const glanced = joined.replace(/[01i]|rn|vv/g, (seen) => glances.get(seen) ?? seen);
  return glanced.length < shortest ? joined : glanced;
}

const glances: ReadonlyMap<string, string> = new Map([
  ["0", "o"],
  ["1", "l"],
  ["i", "l"],
  ["rn", "m"],
  ["vv", "w"],
]);

/** Letters of a skeleton below which names are alike by chance: `v1` and `vi`, or two edits apart. */
export const shortest = 8;

/** Marks stay on letters that pass for no Latin one: there they make other words. */
function latinised(name: string): string {
  let made = "";
  for (const character of name.normalize("NFKC")) {
    if (/\p{M}/u.test(character)) {
      if (!/[\x20-\x7e]$/.test(made) && !/\p{Default_Ignorable_Code_Point}/u.test(character)) made += character;
      continue;
    }
    const latin = latinOf(character);
    made += /^[\x20-\x7e]*$/.test(latin) ? latin : character.toLowerCase();
  }
  return made;
}
