import type { LocatedArray, LocatedMember, LocatedObject } from "./located.ts";
import type { Spelling } from "./spelling.ts";

/** Takes out what stands from `start` to `end`, and puts `text` in its place. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function spliced(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { start, end, text: by } of [...splices].sort((one, other) => other.start - one.start)) {
    result = result.slice(0, start) + by + result.slice(end);
  }
  return result;
}

/** Puts items before the first one of an array, spelled already. `dropFirst` is its inverse, to the byte. */
export function prepend(text: string, array: LocatedArray, sources: readonly string[]): Splice {
  const [first] = array.items;
  if (array.flow) {
    const at = first?.start ?? array.start + 1;
    if (first === undefined) return inserted(at, sources.join(", "));
    return inserted(at, sources.map((source) => `${source},${between(text, at)}`).join(""));
  }
  const at = first?.start ?? array.start;
  return inserted(at, sources.map((source) => `- ${source}${newLine(text, at)}`).join(""));
}

/** Takes out the first items of an array. What somebody wrote between them as a comment stays. */
export function dropFirst(text: string, array: LocatedArray, count: number, spelling: Spelling): Splice | undefined {
  const { items } = array;
  const first = items[0];
  const last = items[count - 1];
  if (first === undefined || last === undefined) return undefined;
  const next = items[count];
  if (next !== undefined) {
    const gaps = items.slice(0, count).map(({ value }, index) => text.slice(value.end, items[index + 1]?.start));
    return { start: first.start, end: next.start, text: kept(gaps, text, first.start, spelling) };
  }
  if (array.flow) return { start: first.start, end: pastComma(text, last.value.end), text: "" };
  const before = text.slice(0, array.start).trimEnd();
  if (!before.endsWith(":")) return undefined;
  return { start: before.length, end: array.end, text: " []" };
}

/** Puts a member before another one. `removeMember` is its inverse, to the byte. */
export function insertBefore(
  text: string,
  object: LocatedObject,
  beside: LocatedMember,
  added: { readonly key: string; readonly sources: readonly string[] },
  spelling: Spelling,
): Splice {
  const key = beside.prefix + spelling.key(added.key, text.slice(beside.start, beside.keyEnd));
  const near = text.slice(beside.keyEnd, beside.value.start);
  const colon = /^[ \t]*[:=][ \t]*$/.test(near) ? near : spelling.colon;
  const member = `${key}${colon}[${added.sources.join(", ")}]`;
  const at = beside.start;
  return inserted(at, object.flow ? `${member},${between(text, at)}` : `${member}${newLine(text, at)}`);
}

/** Puts other members in the place of one, spelled already. */
export function replaceMember(
  text: string,
  object: LocatedObject,
  { start, keyEnd, prefix, value }: LocatedMember,
  by: readonly { readonly key: string; readonly source: string }[],
  spelling: Spelling,
): Splice {
  const near = text.slice(keyEnd, value.start);
  const colon = /^[ \t]*[:=][ \t]*$/.test(near) ? near : spelling.colon;
  const members = by.map(({ key, source }) => prefix + spelling.key(key, text.slice(start, keyEnd)) + colon + source);
  const parted = object.flow ? `,${between(text, start)}` : newLine(text, start);
  return { start, end: value.end, text: members.join(parted) };
}

/** Takes out a member. What somebody wrote beside it as a comment stays. */
export function removeMember(
  text: string,
  object: LocatedObject,
  member: LocatedMember,
  spelling: Spelling,
): Splice | undefined {
  const order = [...object.members].sort((one, other) => one.start - other.start);
  const index = order.indexOf(member);
  const [before, after] = [order[index - 1], order[index + 1]];
  const { start, value } = member;
  if (!object.flow) {
    const line = text.lastIndexOf("\n", start - 1) + 1;
    if (/^[ \t]*$/.test(text.slice(line, start))) return removeLine(text, line, member);
  }
  if (after !== undefined) {
    return { start, end: after.start, text: kept([text.slice(value.end, after.start)], text, start, spelling) };
  }
  if (!object.flow) return undefined;
  const end = pastComma(text, value.end);
  const blank = text.slice(0, start).trimEnd().length;
  if (before === undefined) return { start, end, text: "" };
  if (end > value.end) return { start: blank, end, text: "" };
  const gap = text.slice(before.value.end, start);
  const comments = kept([gap], text, start, spelling);
  return { start: before.value.end, end, text: comments === "" ? "" : ` ${comments.trimEnd()}${newLine(text, start)}` };
}

/** Of a document that has one member a line. */
function removeLine(text: string, line: number, { start, value }: LocatedMember): Splice {
  const rest = /[^\n]*/.exec(text.slice(value.end))?.[0] ?? "";
  const end = value.end + rest.length;
  if (rest.trim() !== "") return { start, end: value.end + (/^[ \t]*/.exec(rest)?.[0].length ?? 0), text: "" };
  if (end < text.length) return { start: line, end: end + 1, text: "" };
  const break_ = text.slice(0, line).endsWith("\r\n") ? 2 : 1;
  return { start: Math.max(0, line - break_), end, text: "" };
}

function inserted(at: number, text: string): Splice {
  return { start: at, end: at, text };
}

/** What parts two values within brackets, as before the one that stands at `at`. */
function between(text: string, at: number): string {
  const blank = text.slice(text.slice(0, at).trimEnd().length, at);
  const last = /\r?\n[^\n]*$/.exec(blank);
  return last === null ? " " : last[0];
}

/** The end of a line, and as much room as there is before `at` on its line. */
function newLine(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const end = /\r?\n/.exec(text)?.[0] ?? "\n";
  return end + text.slice(line, at).replace(/[^\s]/g, " ");
}

function pastComma(text: string, at: number): number {
  return at + (/^\s*,/.exec(text.slice(at, at + 200))?.[0].length ?? 0);
}

/** The comments in what would be taken out, to stand before what follows at `at`. */
function kept(gaps: readonly string[], text: string, at: number, { comments }: Spelling): string {
  return gaps
    .flatMap((gap) => [...gap.matchAll(comments)])
    .map(([comment]) => comment + (comment.startsWith("/*") ? " " : newLine(text, at)))
    .join("");
}
