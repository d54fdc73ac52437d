import type { Span } from "@countersign/core";
import { cuesOf } from "./cues.ts";
import { type Folded, fold } from "./fold.ts";

export interface Clause extends Folded {
  /** The groups of `cue` that its words are in. */
  readonly cues: number;
  /** Where it stands in the text as it was written. */
  readonly span: Span;
}

/**
 * The sentences and list items of a text, folded. Rules that leave room between words match within one clause, so that
 * words of different sentences never make a finding together.
 */
export function clausesOf(text: string): readonly Clause[] {
  if (/^[A-Za-z0-9]*$/.test(text)) return []; // one word orders nothing
  // The words of a name that is a sentence (`ignore_all_previous_instructions`) are words.
  const words = /\s/.test(text) ? text : text.replace(/[_+-]/g, " ");
  return clauseSpans(words).map((span) => {
    const { text, spanOf } = fold(words, span.start, span.end);
    return { text, spanOf, cues: cuesOf(text), span };
  });
}

/** Where the sentences and list items of a text stand, without the white space before them. */
export function clauseSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  const cut = (end: number) => {
    while (start < end && /\s/.test(text.charAt(start))) start++;
    if (start < end) spans.push({ start, end });
    start = end;
  };
  for (const { index, 0: mark } of text.matchAll(/[.!?;\n\u3002\uff01\uff1f]/g)) {
    const end = endAt(text, index, mark);
    if (end !== undefined) cut(end);
  }
  cut(text.length);
  return spans;
}

/** Where a clause ends because of this mark, if it does. */
function endAt(text: string, at: number, mark: string): number | undefined {
  switch (mark) {
    case "\n":
      return continues(text, at) ? undefined : at + 1;
    case ".":
    case "!":
    case "?":
      return endOfSentence(text, at);
    default:
      return at + 1;
  }
}

/** White space follows, behind closing quotes and brackets if there are any, and it is no abbreviation. */
function endOfSentence(text: string, at: number): number | undefined {
  const mark = /^[.!?]["'`)\]*]{0,3}(?=\s|$)/.exec(text.slice(at, at + 5))?.[0];
  if (mark === undefined) return undefined;
  const abbreviated = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx)$/i.test(text.slice(Math.max(0, at - 8), at));
  return abbreviated ? undefined : at + mark.length;
}

/** A line that was only wrapped: the next one goes on in lower case, and begins no `name: what it is`. */
function continues(text: string, at: number): boolean {
  if (/[.:;!?]\s?$/.test(text.slice(Math.max(0, at - 2), at))) return false;
  const next = text.slice(at + 1, at + 121).replace(/^[ \t]+/, "");
  return /^[a-z]/.test(next) && !/^[\w.$-]{1,40} ?(?:\([^()\n]{0,60}\))? ?(?:[:=]| [-\u2013\u2014] )/.test(next);
}
