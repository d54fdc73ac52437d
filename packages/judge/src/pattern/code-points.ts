/** A set of Unicode code points: bounds of ranges, both included, in ascending order and apart from one another. */
export type CodePoints = readonly (readonly [first: number, last: number])[];

const last = 0x10ffff;

export const everything: CodePoints = [[0, last]];

export function union(...sets: readonly CodePoints[]): CodePoints {
  const merged: [number, number][] = [];
  for (const [low, high] of sets.flat().sort(([a], [b]) => a - b)) {
    const before = merged.at(-1);
    if (before !== undefined && low <= before[1] + 1) before[1] = Math.max(before[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function complement(set: CodePoints): CodePoints {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) rest.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= last) rest.push([next, last]);
  return rest;
}

/** Text that `readJson` let through holds no lone surrogate, so that none is ever matched. */
export function withoutSurrogates(set: CodePoints): CodePoints {
  return set.some(([low, high]) => low <= 0xdfff && high >= 0xd800)
    ? complement(union(complement(set), [[0xd800, 0xdfff]]))
    : set;
}

export function intersect(a: CodePoints, b: CodePoints): boolean {
  for (let i = 0, j = 0; ; ) {
    const [one, other] = [a[i], b[j]];
    if (one === undefined || other === undefined) return false;
    if (one[0] <= other[1] && other[0] <= one[1]) return true;
    if (one[1] < other[1]) i++;
    else j++;
  }
}

/** ECMA-262 §22.2.2.9, CharacterClassEscape, without the `i` flag. */
export const digits: CodePoints = [[0x30, 0x39]];
export const wordCharacters: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** ECMA-262 §12.2 and §12.3: white space and line terminators. */
export const spaces: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
/** What `.` leaves out. */
export const lineTerminators: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
