import type { Span } from "@countersign/core";
import type { Folded } from "./fold.ts";

export interface Match {
  /** In the original text. */
  readonly span: Span;
  /** In the folded text. */
  readonly start: number;
  readonly end: number;
  readonly words: string;
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
    const start = found.index;
    const end = start + words.length;
    matches.push({ span: folded.spanOf(start, end), start, end, words, groups });
    if (words === "") pattern.lastIndex++;
  }
  return matches;
}

const none: readonly Match[] = [];
