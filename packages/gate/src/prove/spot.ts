/**
 * Where a value stands in a JSON text. Offsets count UTF-16 code units. Found without the reader that is under test, so
 * that an error of that reader cannot hide the same thing from the proof.
 */
export type Spot = { readonly start: number; readonly end: number } & (
  | { readonly is: "leaf" }
  | { readonly is: "array"; readonly items: readonly Spot[] }
  /** In the order of the text; of two equal keys the last, as `JSON.parse` has it. */
  | { readonly is: "object"; readonly members: ReadonlyMap<string, MemberSpot> }
);

/** `start` and `end` are those of the key with its quotes. */
export interface MemberSpot {
  readonly start: number;
  readonly end: number;
  readonly value: Spot;
}

/** @param text what `JSON.parse` has accepted; of anything else nothing is promised */
export function locate(text: string): Spot {
  let at = 0;

  const blank = () => {
    while (isBlank(text.charCodeAt(at))) at++;
  };
  /** Leaves `at` after the closing bracket; `read` reads one item. */
  const list = (close: number, read: () => void) => {
    at++;
    blank();
    while (text.charCodeAt(at) !== close) {
      read();
      blank();
      if (text.charCodeAt(at) === 0x2c) at++;
      blank();
    }
    at++;
  };
  const value = (): Spot => {
    const start = at;
    switch (text.charCodeAt(at)) {
      case 0x7b: {
        const members = new Map<string, MemberSpot>();
        list(0x7d, () => {
          const from = at;
          const end = endOfString(text, from);
          at = end;
          blank();
          at++;
          blank();
          members.set(JSON.parse(text.slice(from, end)), { start: from, end, value: value() });
        });
        return { is: "object", start, end: at, members };
      }
      case 0x5b: {
        const items: Spot[] = [];
        list(0x5d, () => items.push(value()));
        return { is: "array", start, end: at, items };
      }
      case 0x22:
        at = endOfString(text, start);
        return { is: "leaf", start, end: at };
      default:
        while (at < text.length && !endsWord(text.charCodeAt(at))) at++;
        return { is: "leaf", start, end: at };
    }
  };

  blank();
  return value();
}

/** The offset behind the closing quote of the string that opens at `start`. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at + 1;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function endsWord(unit: number): boolean {
  return unit === 0x2c || unit === 0x5d || unit === 0x7d || isBlank(unit);
}

/** What a string literal is written in, without its quotes: each unit a code point, or one whole escape. */
export function unitsOf(literal: string): string[] {
  return literal.slice(1, -1).match(/\\u[0-9a-fA-F]{4}|\\.|./gsu) ?? [];
}

/** `text` in `\\u` escapes throughout. */
export function escaped(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
