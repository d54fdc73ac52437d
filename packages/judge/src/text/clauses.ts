import { type Folded, fold } from "./fold.ts";

/**
 * The sentences and list items of a text, folded. Rules that leave room between words match within one clause, so that
 * words of different sentences never make a finding together.
 */
export function clausesOf(text: string): readonly Folded[] {
  if (/^[A-Za-z0-9]*$/.test(text)) return []; // one word orders nothing
  // The words of a name that is a sentence (`ignore_all_previous_instructions`) are words.
  const words = /\s/.test(text) ? text : text.replace(/[_+-]/g, " ");
  const clauses: Folded[] = [];
  let start = 0;
  const cut = (end: number) => {
    while (start < end && /\s/.test(words.charAt(start))) start++;
    if (start < end) clauses.push(fold(words, start, end));
    start = end;
  };
  for (const { index, 0: mark } of words.matchAll(/[.!?;\n\u3002\uff01\uff1f]/g)) {
    if (isEnd(words, index, mark)) cut(index + 1);
  }
  cut(words.length);
  return clauses;
}

function isEnd(text: string, at: number, mark: string): boolean {
  switch (mark) {
    case "\n":
      return !continues(text, at);
    case ".":
    case "!":
    case "?":
      return endsSentence(text, at);
    default:
      return true;
  }
}

/** White space follows, behind closing quotes and brackets if there are any, and it is no abbreviation. */
function endsSentence(text: string, at: number): boolean {
  if (!/^[.!?]["'`)\]*]{0,3}(?:\s|$)/.test(text.slice(at, at + 5))) return false;
  return !/(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx)$/i.test(text.slice(Math.max(0, at - 8), at));
}

/** A line that was only wrapped: the next one goes on in lower case, and begins no `name: what it is`. */
function continues(text: string, at: number): boolean {
  if (/[.:;!?]\s?$/.test(text.slice(Math.max(0, at - 2), at))) return false;
  const next = text.slice(at + 1, at + 121).replace(/^[ \t]+/, "");
  return /^[a-z]/.test(next) && !/^[\w.$-]{1,40} ?(?:\([^()\n]{0,60}\))? ?(?:[:=]| [-\u2013\u2014] )/.test(next);
}
