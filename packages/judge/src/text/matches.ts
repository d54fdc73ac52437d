import type { Span } from "@countersign/core";
import type { Folded } from "./fold.ts";

export interface Match {
  /** In the original text. */
  readonly span: Span;
  /** In the folded text. */
  readonly words: string;
  /** What stands around it there, no further than `reach`: looking at all of it at each match would be quadratic. */
  readonly before: string;
  readonly after: string;
  readonly groups: readonly (string | undefined)[];
}

/** Every match of a global pattern. Eager, because the pattern keeps its place in `lastIndex`. */
export function matchesIn(folded: Folded, pattern: RegExp): readonly Match[] {
  pattern.lastIndex = 0;
  let found = pattern.exec(folded.text);
  if (found === null) return none;
  const matches: Match[] = [];
  for (; found !== null; found = pattern.exec(folded.text)) {
    const [words, ...groups] = found;
    matches.push(matchAt(folded, found.index, found.index + words.length, groups));
    if (words === "") pattern.lastIndex++;
  }
  return matches;
}

/** A stretch of a folded text as a match. */
export function matchAt(folded: Folded, start: number, end: number, groups: Match["groups"] = []): Match {
  const { text } = folded;
  const before = text.slice(Math.max(0, start - reach), start);
  return {
    span: folded.spanOf(start, end),
    words: text.slice(start, end),
    before,
    after: text.slice(end, end + reach),
    groups,
  };
}

/** Longer than nearly every clause. */
const reach = 200;

const none: readonly Match[] = [];
