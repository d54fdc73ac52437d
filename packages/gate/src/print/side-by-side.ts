import { visible } from "@countersign/core";
import { paint, type View } from "./view.ts";

/**
 * The part in which two texts differ, before on the left and after on the right, with what hides in them made visible.
 * All of the part is shown, however long it is; what is the same before and after it is cut to a few words.
 */
export function sideBySide(before: string | undefined, after: string | undefined, view: View): readonly string[] {
  const column = Math.max(20, Math.floor((view.width - 12) / 2));
  const { same, left, right, rest } = split(before ?? "", after ?? "");
  const lead = same.length > context ? `…${same.slice(-context)}` : same;
  const tail = rest.length > context ? `${rest.slice(0, context)}…` : rest;
  const was = before === undefined ? ["(absent)"] : wrap(lead, left, tail, column, view, "red");
  const is = after === undefined ? ["(absent)"] : wrap(lead, right, tail, column, view, "green");
  const lines: string[] = [];
  for (let row = 0; row < Math.max(was.length, is.length); row++) {
    const cell = was[row] ?? "";
    lines.push(`- ${cell}${" ".repeat(Math.max(0, column - widthOf(cell)))} | + ${is[row] ?? ""}`);
  }
  return lines;
}

const context = 40;

function split(before: string, after: string): { same: string; left: string; right: string; rest: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Never cut between the halves of a pair.
  if (start > 0 && /[\ud800-\udbff]/.test(before[start - 1] ?? "")) start--;
  if (end > 0 && /[\udc00-\udfff]/.test(before[before.length - end] ?? "")) end--;
  return {
    same: before.slice(0, start),
    left: before.slice(start, before.length - end),
    right: after.slice(start, after.length - end),
    rest: before.slice(before.length - end),
  };
}

/** Cells of at most `column` characters; the changed part is painted a cell at a time, so that no line leaks its colour. */
function wrap(
  lead: string,
  changed: string,
  tail: string,
  column: number,
  view: View,
  colour: "red" | "green",
): string[] {
  const cells: string[] = [];
  let cell = "";
  let width = 0;
  for (const [text, painted] of [
    [lead, false],
    [changed, true],
    [tail, false],
  ] as const) {
    let run = "";
    const flush = () => {
      cell += painted && run !== "" ? paint(view, colour, run) : run;
      run = "";
    };
    for (const [piece] of visible(text).matchAll(pieces)) {
      if (width + piece.length > column && width > 0) {
        flush();
        cells.push(cell);
        cell = "";
        width = 0;
      }
      run += piece;
      width += piece.length;
    }
    flush();
  }
  if (width > 0) cells.push(cell);
  return cells.length === 0 ? ["(empty)"] : cells;
}

/** A character, or the name of one that could not be shown: never cut in two. */
const pieces = /⟦U\+[0-9A-F]+⟧|./gsu;

/** Characters on the screen, without the colour codes that `paint` put in. */
function widthOf(cell: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are our own colour codes
  return [...cell.replace(/\u001b\[[0-9;]*m/g, "")].length;
}
