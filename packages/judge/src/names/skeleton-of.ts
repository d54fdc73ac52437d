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
  // Kept beside `made`: looking at the end of a text that grows would cost all of it each time.
  let onLatin = false;
  const whole = name.normalize("NFKC");
  // U+FDFA stands for 18 letters. No name that somebody reads grows so.
  for (const character of whole.length > name.length * 4 ? name : whole) {
    const { shown, mark, latin } = glyphOf(character);
    if (mark && onLatin) continue;
    made += shown;
    if (shown !== "") onLatin = latin;
  }
  return made;
}

interface Glyph {
  readonly shown: string;
  readonly mark: boolean;
  /** Whether it is printable ASCII in the end. */
  readonly latin: boolean;
}

function glyphOf(character: string): Glyph {
  const known = glyphs.get(character);
  if (known !== undefined) return known;
  const found = findGlyph(character);
  if (glyphs.size < 4096) glyphs.set(character, found);
  return found;
}

/** A function of the character alone, so the cache changes no answer; it is bounded because servers choose the characters. */
const glyphs = new Map<string, Glyph>();

function findGlyph(character: string): Glyph {
  if (/\p{M}/u.test(character)) {
    return { shown: /\p{Default_Ignorable_Code_Point}/u.test(character) ? "" : character, mark: true, latin: false };
  }
  const latin = latinOf(character);
  const shown = /^[\x20-\x7e]*$/.test(latin) ? latin : character.toLowerCase();
  return { shown, mark: false, latin: /[\x20-\x7e]$/.test(shown) };
}
