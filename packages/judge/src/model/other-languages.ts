import { fold } from "../text/fold.ts";
import { classBits } from "./lexicon.ts";
import { commonElsewhere, words } from "./words-of-languages.ts";

/**
 * Classes of words of other languages than English, so that what was learned of the order of classes in English holds for
 * them as well. They are made when a text first needs them: most lists are in English.
 */
interface Elsewhere {
  readonly whole: ReadonlyMap<string, number>;
  /** Beginnings of words. */
  readonly stems: ReadonlyMap<string, number>;
  /** Of scripts without spaces between words. */
  readonly dense: ReadonlyMap<string, number>;
}

let made: Elsewhere | undefined;

function elsewhere(): Elsewhere {
  if (made !== undefined) return made;
  const [whole, stems, dense] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  for (const [language, byClass] of Object.entries(words)) {
    for (const [name, entries] of Object.entries(byClass)) {
      for (const entry of entries.split(" ")) {
        const isStem = entry.endsWith("*");
        const text = fold(isStem ? entry.slice(0, -1) : entry).text;
        const into = isStem ? stems : withoutSpaces.has(language) ? dense : whole;
        into.set(text, (into.get(text) ?? 0) | classBits(name));
      }
    }
  }
  made = { whole, stems, dense };
  return made;
}

const withoutSpaces: ReadonlySet<string> = new Set(["zh", "ja", "th"]);

/** Bit set over `classes`. */
export function classesElsewhere(word: string): number {
  const { whole, stems, dense } = elsewhere();
  const known = whole.get(word) ?? dense.get(word);
  if (known !== undefined) return known;
  for (let length = Math.min(word.length, longest); length >= 2; length--) {
    const found = stems.get(word.slice(0, length));
    if (found !== undefined) return found;
  }
  return 0;
}

const longest = 14;

/** The longest word of a class that begins at this sign. */
export function denseWordAt(signs: readonly string[], at: number): string | undefined {
  const { dense } = elsewhere();
  for (let length = Math.min(6, signs.length - at); length >= 1; length--) {
    const word = signs.slice(at, at + length).join("");
    if (dense.has(word)) return word;
  }
  return undefined;
}

const commonWords: ReadonlySet<string> = new Set(commonElsewhere.split(" ").map((word) => fold(word).text));

/** Of some language in Latin letters. */
export function isCommonElsewhere(word: string): boolean {
  return commonWords.has(word);
}
