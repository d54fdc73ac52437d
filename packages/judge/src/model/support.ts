import type { Subject, Text } from "../rule.ts";
import type { Reading } from "../text/reading.ts";
import { classesOf } from "./lexicon.ts";

/**
 * What a definition gives a reason for, apart from the sentence that is weighed: a tool that is called `read_file` may well
 * speak of files, and one that adds two numbers may not.
 */
export interface Support {
  /** Bit set over `classes`: words of its name, its title and its arguments. */
  readonly names: number;
  /** Bit set over `classes`: the first clause of its description, which says what it does. */
  readonly lead: number;
  /** Where that clause ends. */
  readonly leadEnd: number;
}

export function supportOf({ address, texts }: Pick<Subject, "address" | "texts">): Support {
  let [names, lead, leadEnd] = [bitsOf(address.name), 0, 0];
  for (const { at, part, text, reading } of texts) {
    if (part === "key" || at === "/title" || at === "/annotations/title") names |= bitsOfName(text, reading);
    else if (at === "/description") {
      const [first] = reading.clauses;
      if (first === undefined) continue;
      lead = bitsOf(first.text);
      leadEnd = first.span.end;
    }
  }
  return { names, lead, leadEnd };
}

/** The classes that a stretch of a text has a reason for; undefined where nothing is known that is not the stretch itself. */
export function supportedAt(
  { names, lead, leadEnd }: Support,
  { at }: Pick<Text, "at">,
  start: number,
): number | undefined {
  if (at !== "/description" || start >= leadEnd) return names | lead;
  return names === 0 ? undefined : names;
}

/** Of what a list calls its arguments, most is said many times. */
const known = new WeakMap<Reading, number>();

function bitsOfName(text: string, reading: Reading): number {
  let bits = known.get(reading);
  if (bits === undefined) {
    bits = bitsOf(text);
    known.set(reading, bits);
  }
  return bits;
}

function bitsOf(text: string): number {
  let bits = 0;
  for (const [word] of text.slice(0, longest).matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)) bits |= classesOf(word.toLowerCase());
  return bits;
}

/** Code units of a name or clause that are looked at. */
const longest = 2_000;
