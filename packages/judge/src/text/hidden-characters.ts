import type { Span } from "@countersign/core";

/** Characters side by side that take part in a text without being seen. */
export interface HiddenRun extends Span {
  /** Nothing but selectors that ask a pictogram for the form it has anyway, or for its plain one, as some keyboards type. */
  readonly redundant: boolean;
}

/**
 * What takes part in a text without being seen, in runs: everything ignorable by default, controls other than tab and
 * line breaks, format and interlinear characters, private use, noncharacters, and letters that are drawn as blanks.
 * Bidirectional controls are another matter (`bidi-control`), and so are the signs of category Cf that are drawn.
 */
export function hiddenRuns(text: string): readonly HiddenRun[] {
  if (!/[^\x20-\x7e\n\r\t]/.test(text) || !hidden.test(text)) return [];
  const { proper, redundant } = placesIn(text);
  const runs: { start: number; end: number; redundant: boolean }[] = [];
  let last: (typeof runs)[number] | undefined;
  for (const { index, 0: character } of text.matchAll(eachHidden)) {
    if (proper.has(index)) continue;
    const end = index + character.length;
    if (last?.end === index) {
      last.end = end;
      last.redundant &&= redundant.has(index);
    } else {
      last = { start: index, end, redundant: redundant.has(index) };
      runs.push(last);
    }
  }
  return runs;
}

const bidi = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";
const drawn = "\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}";
const pattern = `[[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\u2800\\u3164\\uFFA0\\u115F\\u1160\\u{1D159}\\u{16FE4}\\u{13441}\\u{13442}]--[\\t\\n\\r${bidi}${drawn}]]`;
const hidden = new RegExp(pattern, "v");
const eachHidden = new RegExp(pattern, "gv");

interface Places {
  /** Offsets of hidden characters that do what they are for, one at each boundary. */
  readonly proper: ReadonlySet<number>;
  readonly redundant: ReadonlySet<number>;
}

function placesIn(text: string): Places {
  const proper = new Set<number>();
  const redundant = new Set<number>();
  const steady = isSteady(text);
  let looked = 0;
  for (const { index, 0: sequence } of text.matchAll(emoji)) {
    if (!hidden.test(sequence)) continue;
    if (++looked > most) break;
    if (isEmoji(sequence)) {
      for (const one of sequence.matchAll(eachHidden)) {
        if (steady || one[0] !== "\uFE0F" || sequence.endsWith("\u20E3")) proper.add(index + one.index);
      }
    } else if (steady) {
      for (const one of sequence.matchAll(presented)) redundant.add(index + one.index + one[0].length - 1);
    }
  }
  if (/\u200C|\u200D/.test(text)) {
    joiner ??= new RegExp(joinerPattern, "gv");
    for (const { index } of text.matchAll(joiner)) proper.add(index);
  }
  return { proper, redundant };
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
  // By far the most common one; Basic_Emoji holds each of them.
  if (plainlyBasic.test(sequence)) return true;
  // Made when it is needed: V8 takes 20 ms to read this pattern, and as a literal it would be read on every start.
  recommended ??= /^\p{RGI_Emoji}$/v;
  return recommended.test(sequence) || (!odd.test(sequence) && recommended.test(qualified(sequence)));
}

/** A pictogram that is drawn as text unless the selector behind it asks for the other form. */
const plainlyBasic = /^(?!\p{EPres})(?=\p{Emoji})\p{ExtPict}\uFE0F$/u;

/** A selector where no recommended sequence has one: behind what is drawn as an emoji anyway, or is no pictogram. */
const odd = /(?<!(?!\p{EPres})\p{ExtPict})\uFE0F/u;

let recommended: RegExp | undefined;

function qualified(sequence: string): string {
  return sequence
    .replaceAll("\uFE0F", "")
    .replace(/(?!\p{EPres})\p{ExtPict}(?!\p{EMod})/gu, (pictogram) => `${pictogram}\uFE0F`);
}

/**
 * Whether a text asks for one form of its pictograms as a rule. With or without a selector is a bit that few readers show;
 * who changes the form from one pictogram to the next spells something by it.
 */
function isSteady(text: string): boolean {
  if (!/[\uFE0E\uFE0F]/.test(text)) return true;
  const forms = new Map<string, Map<string, number>>();
  for (const { 1: base = "", 2: selector = "" } of text.matchAll(eachForm)) count(forms, base, selector);
  /** By whether pictograms are drawn as emoji anyway: the form that most of each one's occurrences have. */
  const habits = new Map<string, Map<string, number>>();
  let exceptions = 0;
  for (const [base, of] of forms) {
    const [habit = ""] = [...of.keys()].sort((a, b) => (of.get(b) ?? 0) - (of.get(a) ?? 0));
    count(habits, String(/\p{EPres}/u.test(base)), habit);
    exceptions += othersIn(of);
  }
  for (const of of habits.values()) exceptions += othersIn(of);
  return exceptions <= mostExceptions;
}

const eachForm = /(\p{ExtPict})(?!\p{EMod})([\uFE0E\uFE0F]?)/gu;

/** Eight bits spell one letter. */
const mostExceptions = 8;

function count(into: Map<string, Map<string, number>>, key: string, form: string): void {
  const of = into.get(key) ?? new Map<string, number>();
  into.set(key, of.set(form, (of.get(form) ?? 0) + 1));
}

function othersIn(of: ReadonlyMap<string, number>): number {
  const counts = [...of.values()];
  return counts.reduce((sum, one) => sum + one, 0) - Math.max(...counts);
}

/**
 * ZWNJ and ZWJ where a script uses them, and nothing else that is hidden beside them: beside the virama of a script that
 * conjoins letters (RFC 5892, appendix A.1 and A.2; before it for the Bengali ya-phalaa and the touching letters of
 * Sinhala) and before a Khmer register shifter; and in scripts that join letters, ZWNJ between two letters or marks, and
 * ZWJ at the edge of a word, where it asks for the joined form.
 */
const joining = ["Arabic", "Syriac", "Mongolian", "Nko", "Adlam"].map((script) => `\\p{scx=${script}}`).join("");
const letters = `[[${joining}]&&[\\p{L}\\p{M}]]`;
const viramas = "\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u17D2\\u1039\\u1B44\\uA9C0";
const joinerPattern = [
  `(?<=[${viramas}])[\\u200C\\u200D](?!\\p{DI})`,
  `(?<=\\p{L})\\u200D(?=[${viramas}])`,
  "(?<=\\p{L})[\\u200C\\u200D](?=[\\u17C9\\u17CA])",
  `(?<=${letters})\\u200C(?=${letters})`,
  `(?<=${letters})\\u200D(?![\\p{L}\\p{M}\\p{DI}])`,
  `(?<![\\p{L}\\p{M}\\p{DI}])\\u200D(?=${letters})`,
].join("|");
let joiner: RegExp | undefined;
