/** A part of a text, and what stands there instead. Offsets are of the text before any of it is replaced. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Whatever no splice touches stays as it was spelled. Splices do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let whole = "";
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start)) {
    whole += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return whole + text.slice(at);
}
