import { canonicalize } from "./canonical.ts";
import type { Json, Member } from "./json.ts";
import { below, type Pointer, root } from "./pointer.ts";
import { unseen } from "./visible.ts";

/** A name or a pointer in a line: as it is where nothing in it could be taken for anything else, else as JSON. */
export function wordOf(text: string): string {
  return /^[A-Za-z0-9_.:/$@{}~-]{1,120}$/.test(text) ? text : spelled(JSON.stringify(text));
}

/** JSON in which nothing is hidden from whoever reads a diff of it: all that shows nothing is an escape. */
export function spelled(json: string): string {
  if (/^[ -~]*$/.test(json)) return json;
  return json.replace(unseen, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}

/** The lines of a value, each a pointer and what stands there; more than one of a pointer are one value, in pieces. */
export interface ValueLine {
  readonly at: Pointer;
  readonly value: string;
  /** Whether it goes on where the line before it ended. */
  readonly more: boolean;
}

/** Stands for an array that has lines of its own for its items. */
export const openArray = "[";

/** Code units: what is short stands with what is around it, in lines that are not too long. */
const short = 60;
const long = 160;

/**
 * A value in lines, so that a change of one place changes the line of that place and no other. It depends on nothing but the
 * value: members come in the order of the canonical form.
 *
 * INVARIANT: `readJson` bounds the depth, so the recursion is bounded too.
 */
export function linesOf(json: Json, at: Pointer = root): readonly ValueLine[] {
  const lines: ValueLine[] = [];
  write(json, at, lines);
  return lines;
}

function write(json: Json, at: Pointer, lines: ValueLine[]): void {
  switch (json.is) {
    case "object": {
      const members = [...json.members].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const apart: Member[] = [];
      const texts: string[] = [];
      for (const member of members) {
        const text = shortText(member.value);
        if (text === undefined) apart.push(member);
        else texts.push(`${spelled(JSON.stringify(member.key))}:${text}`);
      }
      push(at, "{", texts, "}", lines);
      for (const { key, value } of apart) write(value, below(at, key), lines);
      return;
    }
    case "array": {
      const texts = json.items.map((item) => (item.is === "string" ? shortString(item) : shortText(item)));
      if (texts.every((text) => text !== undefined)) {
        push(at, "[", texts, "]", lines);
        return;
      }
      lines.push({ at, value: openArray, more: false });
      for (const [index, item] of json.items.entries()) write(item, below(at, index), lines);
      return;
    }
    case "string": {
      for (const [index, piece] of sentencesOf(json.value).entries()) {
        lines.push({ at, value: spelled(JSON.stringify(piece)), more: index > 0 });
      }
      return;
    }
    case "null":
    case "boolean":
    case "number":
      lines.push({ at, value: canonicalize(json), more: false });
  }
}

function shortString(json: Extract<Json, { is: "string" }>): string | undefined {
  const text = spelled(JSON.stringify(json.value));
  return text.length <= short ? text : undefined;
}

/** The spelling of what is short, without spelling anything that is not. What is more than one word has lines of its own. */
function shortText(json: Json): string | undefined {
  if (atLeast(json) > short) return undefined;
  const text = spelled(canonicalize(json));
  return text.length <= short ? text : undefined;
}

/** Characters that the spelling of a value takes at least; of what is not short, any number above it. */
function atLeast(json: Json): number {
  switch (json.is) {
    case "null":
    case "boolean":
    case "number":
      return 1;
    case "string":
      return json.value.includes(" ") ? short + 1 : json.value.length + 2;
    case "array": {
      let length = 2;
      for (const item of json.items) {
        length += atLeast(item);
        if (length > short) break;
      }
      return length;
    }
    case "object": {
      let length = 2;
      for (const { key, value } of json.members) {
        length += key.length + 3 + atLeast(value);
        if (length > short) break;
      }
      return length;
    }
  }
}

/** All on one line, or one on each. */
function push(at: Pointer, open: string, texts: readonly string[], close: string, lines: ValueLine[]): void {
  const together = `${open}${texts.join(",")}${close}`;
  if (together.length <= long || texts.length < 2) {
    lines.push({ at, value: together, more: false });
    return;
  }
  for (const [index, text] of texts.entries()) lines.push({ at, value: `${open}${text}${close}`, more: index > 0 });
}

/**
 * A text in pieces that end where a line or a sentence does, so that a change moves no piece but its neighbour: after every line
 * feed, and after every sentence of 24 characters or more. What has no such place is cut.
 */
function sentencesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let sentence = 0;
  for (let at = 1; at <= text.length; at++) {
    const feeds = text[at - 1] === "\n";
    const stops = text[at - 1] === " " && /[.!?;:]/.test(text[at - 2] ?? "");
    const whole = feeds || (stops && at - sentence >= 24);
    if (feeds || stops) sentence = at;
    // Half of a surrogate pair is no text.
    const cut = at - start >= 400 && !/[\ud800-\udbff]/.test(text[at - 1] ?? "");
    if (!whole && !cut) continue;
    pieces.push(text.slice(start, at));
    start = at;
  }
  if (start < text.length || pieces.length === 0) pieces.push(text.slice(start));
  return pieces;
}
