import { piecesOf } from "./pieces-of.ts";
import { paint, type View } from "./view.ts";

export interface Sides {
  readonly text: string;
  /** Characters of both texts that the row shows. */
  readonly characters: number;
}

/**
 * The part in which two texts differ, before on the left and after on the right, with what hides in them made visible.
 * All of the part is there, however long it is; what is the same before and after it is cut to a few words.
 */
export function sideBySide(before: string | undefined, after: string | undefined, view: View): readonly Sides[] {
  const column = Math.max(20, Math.floor((view.width - 7) / 2));
  const same = whatIsSame(before ?? "", after ?? "");
  const was = before === undefined ? [absent] : cellsOf(before, same, column, view, "red");
  const is = after === undefined ? [absent] : cellsOf(after, same, column, view, "green");
  const rows: Sides[] = [];
  for (let row = 0; row < Math.max(was.length, is.length); row++) {
    const left = was[row] ?? blank;
    const right = is[row] ?? blank;
    rows.push({
      text: `- ${left.text}${" ".repeat(Math.max(0, column - left.columns))} | + ${right.text}`,
      characters: left.characters + right.characters,
    });
  }
  return rows;
}

interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly characters: number;
}

const blank: Cell = { text: "", columns: 0, characters: 0 };
const absent: Cell = { text: "(absent)", columns: 8, characters: 0 };
const empty: Cell = { text: "(empty)", columns: 7, characters: 0 };

/** How much two texts have in common at their beginnings and ends. */
interface Same {
  readonly start: number;
  readonly end: number;
}

function whatIsSame(before: string, after: string): Same {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Never cut between the halves of a pair.
  if (start > 0 && /[\ud800-\udbff]/.test(before[start - 1] ?? "")) start--;
  if (end > 0 && /[\udc00-\udfff]/.test(before[before.length - end] ?? "")) end--;
  return { start, end };
}

const context = 40;

/** Cells of at most `column` columns; the changed part is painted a cell at a time, so that no row leaks its colour. */
function cellsOf(text: string, same: Same, column: number, view: View, colour: "red" | "green"): readonly Cell[] {
  const changed = { start: same.start, end: text.length - same.end };
  const from = startOfContext(text, changed.start);
  const to = endOfContext(text, changed.end);
  const cells: Cell[] = [];
  let [cell, columns, characters] = ["", 0, 0];
  let [run, painted] = ["", false];
  const flush = () => {
    cell += painted && run !== "" ? paint(view, colour, run) : run;
    run = "";
  };
  const put = (shown: string, wide: number, counted: number, isChanged: boolean) => {
    const full = columns > 0 && wide > column - columns;
    if (full || isChanged !== painted) flush();
    if (full) {
      cells.push({ text: cell, columns, characters });
      [cell, columns, characters] = ["", 0, 0];
    }
    painted = isChanged;
    run += shown;
    columns += wide;
    characters += counted;
  };
  const isChanged = (start: number, end: number) => end > changed.start && start < changed.end;
  if (from > 0) put("…", 1, 0, false);
  // The words are those of the whole part, so that one letter of another alphabet is seen in the word that it changed.
  for (const { shown, columns: wide, characters: counted, start, end, is } of piecesOf(text.slice(from, to))) {
    if (is !== "text" || counted === 1) {
      put(shown, wide, counted, isChanged(from + start, from + end));
      continue;
    }
    // A plain word has as many columns as characters; a part of it may have changed, and a column is narrow.
    for (let at = 0; at < shown.length; ) {
      const here = from + start + at;
      const ends = [changed.start, changed.end].filter((one) => one > here).map((one) => one - here);
      const room = columns < column ? column - columns : column;
      const length = Math.min(shown.length - at, room, ...ends);
      put(shown.slice(at, at + length), length, length, isChanged(here, here + length));
      at += length;
    }
  }
  if (to < text.length) put("…", 1, 0, false);
  flush();
  if (columns > 0) cells.push({ text: cell, columns, characters });
  return cells.length === 0 ? [empty] : cells;
}

/** A run of white space is named by its length, so it is never cut; and a character never is. */
function startOfContext(text: string, start: number): number {
  let from = Math.max(0, start - context);
  while (from > 0 && /[\s\udc00-\udfff]/.test(text[from] ?? "") && /[\s\ud800-\udbff]/.test(text[from - 1] ?? ""))
    from--;
  return from;
}

function endOfContext(text: string, end: number): number {
  let to = Math.min(text.length, end + context);
  while (to < text.length && /[\s\ud800-\udbff]/.test(text[to - 1] ?? "") && /[\s\udc00-\udfff]/.test(text[to] ?? ""))
    to++;
  return to;
}
