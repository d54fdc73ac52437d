import { styleText } from "node:util";
import { piecesOf } from "./pieces-of.ts";

/** How much of what a server wrote may be shown, and how. */
export interface View {
  /**
   * Whether server text is shown at all. True on a terminal, where a person reads; elsewhere only with `--text`, because
   * whoever reads a pipe may be the agent that the text is meant for.
   */
  readonly text: boolean;
  readonly colour: boolean;
  /** Columns. */
  readonly width: number;
  /** Rows of the screen. */
  readonly height: number;
  /** Whether `status` shows all of the text that waits, not only why it waits. */
  readonly contents: boolean;
}

export type Format = Parameters<typeof styleText>[0];

export function paint({ colour }: View, format: Format, text: string): string {
  return colour ? styleText(format, text, { validateStream: false }) : text;
}

/** A server-chosen name or pointer. Ordinary identifiers are shown anywhere; anything else is text. */
export function shownName(name: string, { text }: Pick<View, "text">): string {
  if (/^[A-Za-z0-9_.:/$@{}+~-]{1,120}$/.test(name)) return name;
  if (!text) return `(a name of ${name.length} characters, shown with --text)`;
  const start = isShownWhole(name) ? name : name.slice(0, longName).replace(/[\ud800-\udbff]$/, "");
  return `"${[...piecesOf(start)].map(({ shown }) => shown).join("")}${start === name ? "" : "…"}"`;
}

/** Whether `shownName` shows all of a name. */
export function isShownWhole(name: string): boolean {
  return name.length <= longName;
}

/** Code units. */
const longName = 200;
