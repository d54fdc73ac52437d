import type { Span } from "@countersign/core";
import type { Clause } from "./clauses.ts";
import { cue, isCueWord, shifted } from "./cues.ts";
import type { DecodedRun } from "./decoded-runs.ts";

/**
 * Stretches that can be read as other words without a table: letters shifted by thirteen, the whole text backwards, letters
 * that stand apart, digits in the place of letters. Most of what is found here says nothing; who asks has to judge it.
 */
export function disguisesIn(
  text: string,
  { cues, clauses }: { readonly cues: number; readonly clauses: readonly Clause[] },
): readonly DecodedRun[] {
  const runs: DecodedRun[] = [];
  const whole = { start: 0, end: text.length };
  if ((cues & cue.cipher) !== 0) {
    for (const clause of clauses) {
      if ((clause.cues & cue.cipher) === 0) continue;
      const span = clause.spanOf(0, clause.text.length);
      runs.push({ span, encoding: "rot13", says: shifted(text.slice(span.start, span.end)), ordinary: true });
    }
    const says = [...text.slice(0, longest)].reverse().join("");
    runs.push({ span: whole, encoding: "reversed", says, ordinary: true });
  }
  if (apart.test(text)) {
    for (const span of spacedOut(text)) {
      const run = text.slice(span.start, span.end);
      const words = run.split(/[^\p{L}\p{N}]{2,}/u).map((word) => word.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase());
      runs.push({ span, encoding: "spaced", says: words.map(divided).join(" "), ordinary: true });
    }
  }
  if (digits.test(text)) {
    const says = text
      .slice(0, longest)
      .replace(leet, (word) =>
        /[a-z]/i.test(word) ? word.replace(/[0134579@$]/g, (one) => letterFor[one] ?? one) : word,
      );
    runs.push({ span: whole, encoding: "leet", says, ordinary: true });
  }
  return runs;
}

const longest = 65_536;

/** Eight letters and more, each by itself; the first may be the end of a word, and any may be no letter. */
const apart = /(?:[^\s!-/:-@[-`{-~\u00b7][ .\-_|\u00b7/]{1,3}){7}[^\s!-/:-@[-`{-~\u00b7]/;
const sign = /^[ .\-_|\u00b7/]{1,3}$/;

function* spacedOut(text: string): Iterable<Span> {
  let run: Span = { start: 0, end: 0 };
  let letters = 0;
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const end = index + word.length;
    const single = word.length === String.fromCodePoint(word.codePointAt(0) ?? 0).length;
    const goesOn = single && letters > 0 && index - run.end <= 3 && sign.test(text.slice(run.end, index));
    if (goesOn) {
      run = { start: run.start, end };
      letters++;
      continue;
    }
    if (letters >= 8) yield run;
    run = { start: index, end };
    letters = single ? 1 : 0;
  }
  if (letters >= 8) yield run;
}

/** Two words with digits between their letters, such as no identifier has. */
const digits =
  /[a-z@$][013457@$][a-z@$013457]{0,20}[a-z][^a-z]{1,4}(?:\w{1,20}\W{1,4}){0,6}[a-z@$013457]{0,20}[a-z][013457@$]{1,4}[a-z]/i;
const leet = /[a-z0134579@$]+/gi;
const letterFor: Readonly<Record<string, string>> = {
  ...{ 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", 9: "g" },
  ...{ "@": "a", $: "s" },
};

/** Words again, where letters stood apart without a sign between words. */
function divided(letters: string): string {
  let words = "";
  let rest = "";
  for (let at = 0; at < letters.length; ) {
    let length = Math.min(longestWord, letters.length - at);
    while (length > 1 && !isKnown(letters.slice(at, at + length))) length--;
    if (length > 1) {
      words += `${rest === "" ? "" : `${rest} `}${letters.slice(at, at + length)} `;
      rest = "";
    } else rest += letters.charAt(at);
    at += length;
  }
  return (words + rest).trim();
}

const longestWord = 14;

function isKnown(word: string): boolean {
  return word.length > 2 ? isCueWord(word) || glue.has(word) : glue.has(word);
}

const glue: ReadonlySet<string> = new Set([
  "to",
  "of",
  "do",
  "the",
  "and",
  "with",
  "from",
  "previous",
  "prior",
  "above",
  "all",
  "about",
  "your",
  "rules",
  "guidelines",
  "policy",
]);
