import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "./fold.ts";

describe("fold()", () => {
  test.each([
    ["Read THIS", "read this"],
    ["a \t\r\n  b", "a b"],
    ["**do** not *tell*", "do not tell"],
    ["i\u0307gn\u00f6re", "ignore"],
    ["\u0456gn\u043ere \u0430ll", "ignore all"],
    ["\uff29\uff27\uff2e\uff2f\uff32\uff25", "ignore"],
    ["\u{1F178}\u{1F17C} \u{1D422}\u{1D420}", "im ig"],
    ["don\u2019t \u201ctell\u201d", 'don\'t "tell"'],
    ["ig\u200bno\u00adre", "ignore"],
    ["a\u00a0\u3000b", "a b"],
    ["a\u0000b\u0085c", "abc"],
    ["\u4f60\u597d", "\u4f60\u597d"],
  ])("reads %j as %j", (text, folded) => {
    expect(fold(text).text).toBe(folded);
  });

  test("leads back to the original", () => {
    const text = "x  D\u043e \u200bNOT*  tell";
    const folded = fold(text);
    const start = folded.text.indexOf("do not");
    const { start: from, end } = folded.spanOf(start, start + 6);
    expect([folded.text, text.slice(from, end)]).toEqual(["x do not tell", "D\u043e \u200bNOT"]);
  });

  test("counts from the beginning of the whole text when it folds a part", () => {
    const folded = fold("one. Two  three.", 5, 15);
    expect([folded.text, folded.spanOf(4, 9)]).toEqual(["two three", { start: 10, end: 15 }]);
  });

  test("takes the same steps for ASCII alone as among other letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 60 }), (text) => {
        expect(`e${fold(text).text}`).toBe(fold(`\u00e9${text}`).text);
      }),
    );
  });

  test("finds a place in the original for every stretch of what it made", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.nat(40), fc.nat(40), (text, a, b) => {
        const folded = fold(text);
        const [from, to] = [Math.min(a, b, folded.text.length), Math.min(Math.max(a, b), folded.text.length)];
        const { start, end } = folded.spanOf(from, to);
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
