import { latinOf } from "@countersign/judge";

/** Letters that pass for others: where in a word they end, and what is said of them there. */
export interface Marked {
  /** Offset in the word of what follows them. */
  readonly end: number;
  readonly says: string;
}

/** How many letters of each alphabet a text has, and how many of them could be taken for Latin ones. */
export type Letters = ReadonlyMap<string, { readonly all: number; readonly looksLatin: number }>;

export function lettersOf(text: string): Letters {
  const letters = new Map<string, { all: number; looksLatin: number }>();
  if (!beyondAscii.test(text)) return letters;
  for (const character of text) {
    const { script, looksLatin } = letterOf(character);
    if (script === undefined) continue;
    const count = letters.get(script) ?? { all: 0, looksLatin: 0 };
    if (count.all === 0) letters.set(script, count);
    count.all++;
    if (looksLatin) count.looksLatin++;
  }
  return letters;
}

interface Letter {
  readonly script: string | undefined;
  /** Of another alphabet, and could be taken for a Latin letter. */
  readonly looksLatin: boolean;
}

function letterOf(character: string): Letter {
  if (character <= "\u007f") return /[A-Za-z]/.test(character) ? latinLetter : noLetter;
  const known = cache.get(character);
  if (known !== undefined) return known;
  const script = scriptOf(character);
  const letter = { script, looksLatin: script !== "Latin" && /^[a-z]$/.test(latinOf(character)) };
  if (cache.size < 4_096) cache.set(character, letter);
  return letter;
}

const latinLetter: Letter = { script: "Latin", looksLatin: false };
const noLetter: Letter = { script: undefined, looksLatin: false };
/** A function of the character alone; bounded, because servers choose the characters. */
const cache = new Map<string, Letter>();

/**
 * The letters of one word that a reader would take for others: those of another alphabet among Latin ones (or the Latin
 * ones, where they are fewer), a whole word of letters that look Latin where the text has nothing else of that alphabet or
 * more Latin letters, and fullwidth and mathematical letters anywhere.
 */
export function lookAlikesIn(word: string, text: Letters): readonly Marked[] {
  if (!beyondAscii.test(word)) return [];
  const inWord = lettersOf(word);
  const latin = inWord.get("Latin")?.all ?? 0;
  const foreign = [...inWord].filter(([script]) => script !== "Latin" && !styles.has(script));
  const others = foreign.reduce((sum, [, { all }]) => sum + all, 0);
  const marked = new Map<string, string>();
  for (const [script] of inWord) if (styles.has(script)) marked.set(script, script);
  if (latin > 0 && others > 0) {
    const few = others <= latin ? foreign.map(([script]) => script) : ["Latin"];
    for (const script of few) marked.set(script, `mixed scripts: ${script}`);
  } else {
    for (const [script, { all, looksLatin }] of foreign) {
      const inText = text.get(script) ?? { all, looksLatin };
      const isAlone = inText.all === inText.looksLatin || (text.get("Latin")?.all ?? 0) > inText.all;
      if (all === looksLatin && isAlone) marked.set(script, `looks Latin: ${script}`);
    }
  }
  return marked.size === 0 ? [] : marksOf(word, marked);
}

function marksOf(word: string, marked: ReadonlyMap<string, string>): readonly Marked[] {
  const marks: Marked[] = [];
  let run: string[] = [];
  let label: string | undefined;
  let at = 0;
  const flush = () => {
    if (label !== undefined && run.length > 0) marks.push({ end: at, says: `${label} ${pointsOf(run)}` });
    run = [];
  };
  for (const character of word) {
    const next = marked.get(letterOf(character).script ?? "");
    if (next !== label) flush();
    label = next;
    if (next !== undefined) run.push(character);
    at += character.length;
  }
  flush();
  return marks;
}

function pointsOf(characters: readonly string[]): string {
  const named = characters.slice(0, 4).map((one) => pointOf(one));
  return characters.length > 4 ? `${named.join(" ")} and ${characters.length - 4} more` : named.join(" ");
}

export function pointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function scriptOf(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  // Fullwidth letters are of the Latin script, and mathematical ones of none.
  if ((code >= 0xff21 && code <= 0xff3a) || (code >= 0xff41 && code <= 0xff5a)) return "fullwidth";
  if (code >= 0x1d400 && code <= 0x1d7ff) return "mathematical";
  return scripts.find(([, pattern]) => pattern.test(character))?.[0];
}

const styles: ReadonlySet<string> = new Set(["fullwidth", "mathematical"]);

/** The alphabets with letters that pass for Latin ones. */
const scripts: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
  ["Coptic", /\p{Script=Coptic}/u],
  ["Lisu", /\p{Script=Lisu}/u],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const beyondAscii = /[^\u0000-\u007f]/;
