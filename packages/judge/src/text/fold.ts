import type { Span } from "@countersign/core";
import { latinOf } from "./latin-of.ts";

/** A text as a reader takes it, and the way back to the text as it was written. */
export interface Folded {
  readonly text: string;
  /** Where a stretch of `text` stands in the original. */
  readonly spanOf: (start: number, end: number) => Span;
}

/**
 * Lower case, one space for any run of white space, look-alikes as the Latin letters they pass for, and nothing where
 * nothing is shown. Asterisks go too: Markdown emphasis inside a phrase does not change what it says.
 *
 * Rules match this form, so their patterns need neither `\s*` nor variants of letters.
 */
export function fold(text: string, from = 0, to = text.length): Folded {
  const part = from === 0 && to === text.length ? text : text.slice(from, to);
  if (!/[^\x20-\x7e]| {2}|\*/.test(part)) {
    return { text: part.toLowerCase(), spanOf: (start, end) => ({ start: from + start, end: from + end }) };
  }
  let places: Places | undefined;
  return {
    text: foldedOf(part),
    spanOf(start, end) {
      places ??= placesOf(part);
      const first = places.starts[start] ?? part.length;
      return { start: from + first, end: from + (end > start ? (places.ends[end - 1] ?? part.length) : first) };
    },
  };
}

function foldedOf(part: string): string {
  if (!/\P{ASCII}/u.test(part)) {
    return part
      .toLowerCase()
      .replace(/[^\P{Cc}\t-\r]+|\*+/gu, "")
      .replace(/[\t-\r ]+/g, " ");
  }
  let folded = "";
  let blank = false;
  for (const character of part) {
    const shown = latinOf(character);
    if (shown === "" || (shown === " " && blank)) continue;
    folded += shown;
    blank = shown === " ";
  }
  return folded;
}

/** For each code unit of the folded text: where its character begins in the original, and where it ends. */
interface Places {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The same walk as `foldedOf`, for the few texts in which a rule found something. */
function placesOf(part: string): Places {
  const starts: number[] = [];
  const ends: number[] = [];
  let blank = false;
  let at = 0;
  for (const character of part) {
    const end = at + character.length;
    const shown = latinOf(character);
    if (shown === " " && blank) ends[ends.length - 1] = end;
    for (let unit = 0; unit < (shown === " " && blank ? 0 : shown.length); unit++) {
      starts.push(at);
      ends.push(end);
    }
    if (shown !== "") blank = shown === " ";
    at = end;
  }
  return { starts, ends };
}
