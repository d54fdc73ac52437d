import type { Span } from "@countersign/core";

/**
 * What takes part in a text without being seen, in runs: everything ignorable by default, controls other than tab and
 * line breaks, format and interlinear characters, private use, noncharacters, and letters that are drawn as blanks.
 * Bidirectional controls are another matter (`bidi-control`), and so are the signs of category Cf that are drawn.
 */
export function hiddenRuns(text: string): readonly Span[] {
  if (!/[^\x20-\x7e\n\r\t]/.test(text) || !hidden.test(text)) return [];
  const proper = properPlaces(text);
  const runs: Span[] = [];
  let last: { start: number; end: number } | undefined;
  for (const { index, 0: character } of text.matchAll(eachHidden)) {
    if (proper.has(index)) continue;
    const end = index + character.length;
    if (last?.end === index) last.end = end;
    else {
      last = { start: index, end };
      runs.push(last);
    }
  }
  return runs;
}

const bidi = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
const drawn = "\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}";
const pattern = `[[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\u2800\\u3164\\uFFA0\\u115F\\u1160]--[\\t\\n\\r${bidi}${drawn}]]`;
const hidden = new RegExp(pattern, "v");
const eachHidden = new RegExp(pattern, "gv");

/** Offsets of hidden characters that do what they are for, one at each boundary. */
function properPlaces(text: string): ReadonlySet<number> {
  const proper = new Set<number>();
  const allow = (start: number, part: string) => {
    for (const { index } of part.matchAll(eachHidden)) proper.add(start + index);
  };
  let looked = 0;
  for (const { index, 0: sequence } of text.matchAll(emoji)) {
    if (++looked > most) break;
    if (isEmoji(sequence)) allow(index, sequence);
    else for (const one of sequence.matchAll(presented)) proper.add(index + one.index + one[0].length - 1);
  }
  if (/\u200C|\u200D/.test(text)) {
    joiner ??= new RegExp(joinerPattern, "gv");
    for (const { index } of text.matchAll(joiner)) proper.add(index);
  }
  return proper;
}

/** Emoji that are looked at. Telling one from a mere chain is slow, and no honest text holds so many. */
const most = 10_000;

/** Whatever could be one emoji: a pictogram, keycap or flag with the joiners, selectors and tags behind it. */
const emoji =
  /[0-9#*]\uFE0F\u20E3|\p{RI}{2}|\p{ExtPict}\p{EMod}?[\uFE0E\uFE0F]?(?:\u200D\p{ExtPict}\p{EMod}?\uFE0F?){0,9}[\u{E0020}-\u{E007F}]{0,8}/gu;

/** A pictogram and one selector of how it is drawn. */
const presented = /\p{ExtPict}[\uFE0E\uFE0F]/gu;

/** Recommended for general interchange (UTS #51), with every selector or with some of them left out. */
function isEmoji(sequence: string): boolean {
  // Made when it is needed: V8 takes 20 ms to read this pattern, and as a literal it would be read on every start.
  recommended ??= /^\p{RGI_Emoji}$/v;
  return recommended.test(sequence) || recommended.test(qualified(sequence));
}

let recommended: RegExp | undefined;

function qualified(sequence: string): string {
  return sequence
    .replaceAll("\uFE0F", "")
    .replace(/(?!\p{EPres})\p{ExtPict}(?!\p{EMod})/gu, (pictogram) => `${pictogram}\uFE0F`);
}

/**
 * ZWNJ and ZWJ where a script uses them: between two letters or marks of the same script that joins or conjoins letters,
 * or behind a virama (RFC 5892, appendix A.1 and A.2). A second one at the same place stands between no letters.
 */
const scripts = [
  "Arabic",
  "Syriac",
  "Mongolian",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Khmer",
  "Myanmar",
];
const viramas = "\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u17D2\\u1039";
const joinerPattern = `(?<=[${viramas}])[\\u200C\\u200D]|${scripts
  .map((script) => `(?<=[\\p{scx=${script}}&&[\\p{L}\\p{M}]])[\\u200C\\u200D](?=[\\p{scx=${script}}&&[\\p{L}\\p{M}]])`)
  .join("|")}`;
let joiner: RegExp | undefined;
