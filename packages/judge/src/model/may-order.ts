import { classesOf, common } from "./lexicon.ts";

/**
 * Whether a folded clause can be an order at all: it holds words of two classes, or it is in
 * another language than English. Most clauses of honest definitions are neither, and need no closer look.
 */
export function mayOrder(folded: string): boolean {
  let bits = 0;
  let words = 0;
  let isEnglish = false;
  for (let at = 0; at < folded.length; ) {
    if (!isLetter(folded.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    while (at < folded.length && isInner(folded.charCodeAt(at))) {
      if (folded.charCodeAt(at) > 0x7f) return true;
      at++;
    }
    const word = folded.slice(start, at);
    words++;
    isEnglish ||= common.has(word);
    bits |= classesOf(word);
    if ((bits & (bits - 1)) !== 0) return true;
  }
  if (/[~/@\\]|\.env\b/.test(folded)) return true;
  return words >= 4 && !isEnglish;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code > 0xbf && /\p{L}/u.test(String.fromCharCode(code)));
}

function isInner(code: number): boolean {
  return isLetter(code) || code === 0x27 || (code >= 0x30 && code <= 0x39);
}
