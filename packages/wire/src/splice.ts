/** A place in a text, in code units, and what shall stand there. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with these places replaced, and every other character as it was. No two of them overlap. */
export function splice(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  return from === 0 ? text : [...parts, text.slice(from)].join("");
}
