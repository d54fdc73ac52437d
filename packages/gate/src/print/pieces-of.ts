import { visible } from "@countersign/core";
import { lettersOf, lookAlikesIn, pointOf } from "./look-alikes.ts";

/** A part of a server-written text, as a person is shown it. */
export interface Piece {
  readonly shown: string;
  /** Columns on the screen, at most. */
  readonly columns: number;
  /** Where it stands in the text; empty for what is only said about the text before it. */
  readonly start: number;
  readonly end: number;
  /** Characters of the text that it stands for. */
  readonly characters: number;
  /** `name`: between ⟦ and ⟧, never cut in two. `feed`: one line feed. */
  readonly is: "text" | "name" | "feed";
}

/**
 * A text in the pieces that it is shown in, all of it and in order. Runs that push what follows out of sight are named, so
 * that what follows stands directly behind: `⟦5000 line feeds⟧`. Letters that pass for others are named where they stand.
 * No text can spell such a name, since `visible` names ⟦ and ⟧.
 */
export function* piecesOf(text: string): Generator<Piece, void> {
  const letters = lettersOf(text);
  for (const { index, 0: found } of text.matchAll(parts)) {
    if (/^(?: {1,7}|[!-~]+)$/.test(found)) yield plain(found, index);
    else if (/^[\s\u0085]/.test(found)) yield* space(found, index);
    else if (found.length === 1 && !/\p{L}/u.test(found)) yield single(found, index);
    else yield* word(found, index, letters);
  }
}

/** White space; a word with its marks; a character and its repetitions. */
const parts = /[\s\u0085]+|[A-Za-z0-9]+(?![\p{L}\p{M}\p{N}])|[\p{L}\p{M}\p{N}]+|(.)\1*/gsu;

/** Fewer than these are shown as they are: paragraphs, and the indentation of examples. */
const longRun = 8;
const manyFeeds = 3;

/** As many columns as characters, and as code units. */
function plain(text: string, start: number): Piece {
  return { shown: text, columns: text.length, start, end: start + text.length, characters: text.length, is: "text" };
}

function named(says: string, start: number, end: number, characters = end - start): Piece {
  return { shown: `⟦${says}⟧`, columns: says.length + 2, start, end, characters, is: "name" };
}

function* space(run: string, start: number): Generator<Piece, void> {
  const feeds = run.split("\n").length - 1;
  if (feeds >= manyFeeds) {
    yield named(spacesIn(run), start, start + run.length);
    return;
  }
  for (const { index, 0: part } of run.matchAll(/\n|[^\n]+/g)) {
    const at = start + index;
    if (part === "\n") yield { shown: visible(part), columns: 8, start: at, end: at + 1, characters: 1, is: "feed" };
    else if (part.length >= longRun) yield named(spacesIn(part), at, at + part.length);
    else yield* singles(part, at);
  }
}

const spaceNames: ReadonlyMap<string, string> = new Map([
  [" ", "space"],
  ["\n", "line feed"],
  ["\t", "tab"],
  ["\r", "carriage return"],
]);

function spacesIn(run: string): string {
  const counts = new Map<string, number>();
  for (const character of run) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts]
    .map(([character, count]) => {
      const name = spaceNames.get(character);
      return name === undefined ? `${count} × ${pointOf(character)}` : `${count} ${name}${count === 1 ? "" : "s"}`;
    })
    .join(", ");
}

function* word(text: string, start: number, letters: ReturnType<typeof lettersOf>): Generator<Piece, void> {
  let from = 0;
  for (const { end, says } of lookAlikesIn(text, letters)) {
    yield* characters(text.slice(from, end), start + from);
    yield named(says, start + end, start + end);
    from = end;
  }
  yield* characters(text.slice(from), start + from);
}

/** Characters one by one, but for the runs of what is not seen, or is drawn over what stands beside it. */
function* characters(text: string, start: number): Generator<Piece, void> {
  // No script puts five marks on one letter.
  if (narrow.test(text)) {
    yield plain(text, start);
    return;
  }
  for (const { index, 0: run } of text.matchAll(/[\p{Mn}\p{Me}]{5,}|(.)\1*/gsu)) {
    const at = start + index;
    const first = String.fromCodePoint(run.codePointAt(0) ?? 0);
    const count = run.length / first.length;
    const marks = /^[\p{Mn}\p{Me}]/u.test(run) ? [...run].length : 0;
    if (marks >= 5) {
      yield named(`${marks} combining marks`, at, at + run.length, marks);
    } else if (count >= longRun && visible(first) !== first) {
      yield named(`${count} × ${pointOf(first)}`, at, at + run.length, count);
    } else yield* singles(run, at);
  }
}

function* singles(text: string, start: number): Generator<Piece, void> {
  let at = start;
  for (const character of text) {
    yield single(character, at);
    at += character.length;
  }
}

function single(character: string, start: number): Piece {
  if (character >= " " && character <= "~") return plain(character, start);
  const shown = visible(character);
  const is = shown === character ? "text" : "name";
  const columns = is === "name" ? shown.length : wide.test(character) ? 2 : 1;
  return { shown, columns, start, end: start + character.length, characters: 1, is };
}

/** Letters of a word that are a column each, and hide nothing: Latin, Greek, Cyrillic, Armenian. */
const narrow = /^[A-Za-z0-9\u00c0-\u024f\u0370-\u0482\u048a-\u0587]+$/;

/** What a terminal may draw over two columns. Marks count as one: no text may have more rows than are counted. */
const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u231a-\u23ff\u2600-\u27bf\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufdff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18fff}\u{1aff0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
