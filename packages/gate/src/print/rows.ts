import { piecesOf } from "./pieces-of.ts";
import { type Format, paint, type View } from "./view.ts";

/** One row of the screen. */
export interface Row {
  readonly text: string;
  /** The place that it shows, for a person. */
  readonly at: string;
  /** Characters of server-written text that it shows. */
  readonly characters: number;
}

/** A row of our own words, which are short. */
export function ownRow(text: string, at: string): Row {
  return { text, at, characters: 0 };
}

/**
 * Our own words around a name or a place that a server chose, and that has been made visible: a row or a few. What is not
 * read by a person stays on one line.
 */
export function ownRows(text: string, at: string, indent: number, view: View, format?: Format): readonly Row[] {
  return (view.text ? cut(text, view.width - indent) : [text]).map((part) =>
    ownRow(" ".repeat(indent) + (format === undefined ? part : paint(view, format, part)), at),
  );
}

/** The kind and name of a definition, and what has been decided about it. */
export function headingRows(what: string, name: string, view: View, mark?: string): readonly Row[] {
  const lead = mark === undefined ? "" : `${mark}  `;
  if (what.length + 10 <= view.width)
    return [ownRow(`${lead}${what.slice(0, -name.length)}${paint(view, "bold", name)}`, what)];
  const [first, ...rest] = ownRows(what, what, 0, { ...view, width: view.width - 10 }, "bold");
  return [ownRow(lead + (first?.text ?? ""), what), ...rest];
}

export interface Labelled {
  /** What stands before the text: our words, or what has been made visible. */
  readonly label: string;
  /** Columns before the label. */
  readonly indent: number;
  readonly at: string;
  /** Whether a line feed begins a row; else it is named. */
  readonly lines: boolean;
}

/**
 * A server-written text in rows that a screen shows whole. Each row has a bar before it, which no text can get out of: `│`
 * where a line of the text begins, `┊` where it goes on.
 */
export function labelledRows(text: string, { label, indent, at, lines }: Labelled, view: View): readonly Row[] {
  const margin = " ".repeat(indent);
  const rows: Row[] = [];
  const beside = label !== "" && label.length + indent + 4 <= view.width / 2;
  if (label !== "" && !beside) {
    rows.push(...ownRows(label, at, indent, view, "dim"));
  }
  let lead = beside ? `${margin}${paint(view, "dim", label)} ` : margin;
  let room = Math.max(20, view.width - indent - 2 - (beside ? label.length + 1 : 0));
  let [row, columns, characters, bar] = ["", 0, 0, "│"];
  const end = (next: string) => {
    rows.push({ text: `${lead}${bar} ${row}`, at, characters });
    [row, columns, characters, bar] = ["", 0, 0, next];
    lead = margin;
    room = Math.max(20, view.width - indent - 2);
  };
  for (const piece of piecesOf(text)) {
    if (piece.is === "feed" && lines) {
      characters++;
      end("│");
      continue;
    }
    let { shown, columns: wide, characters: counted } = piece;
    if (columns > 0 && wide > room - columns) end("┊");
    // Only a plain word can be longer than a row, and that is as many columns as characters.
    while (piece.is === "text" && wide > room) {
      row = shown.slice(0, room);
      characters = room;
      shown = shown.slice(room);
      wide -= room;
      counted -= characters;
      end("┊");
    }
    row += shown;
    columns += wide;
    characters += counted;
  }
  end("│");
  return rows;
}

function cut(text: string, columns: number): readonly string[] {
  if (text.length <= columns) return [text];
  const characters = [...text];
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += columns) parts.push(characters.slice(at, at + columns).join(""));
  return parts;
}
