import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withinEdits } from "./within-edits.ts";

describe("withinEdits()", () => {
  test.each([
    ["getweather", "getweather", 0],
    ["getweather", "getweathers", 1],
    ["getweather", "getwether", 1],
    ["getweather", "getwaether", 2],
    ["abcd", "bcda", 2],
    ["abcd", "cdab", 4],
    ["", "ab", 2],
  ])("takes %s to %s in %i", (a, b, edits) => {
    expect(withinEdits(a, b, edits)).toBe(true);
    expect(edits === 0 || withinEdits(a, b, edits - 1)).toBe(edits === 0);
  });

  test("agrees with the table of distances", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });
    fc.assert(
      fc.property(word, word, fc.nat({ max: 3 }), (a, b, edits) => {
        expect(withinEdits(a, b, edits)).toBe(distance(a, b) <= edits);
      }),
    );
  });
});

/** Wagner and Fischer's table, row by row. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
