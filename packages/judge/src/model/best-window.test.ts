import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestWindow, type Weighed, windowsAbove } from "./best-window.ts";

const stretches = fc.array(fc.record({ sum: fc.integer({ min: -8, max: 8 }), joined: fc.boolean() }), {
  maxLength: 24,
});

describe("windows", () => {
  test("the best of them is the one that trains the model [judge.model]", () => {
    fc.assert(
      fc.property(stretches, (weighed) => {
        const best = bestWindow(weighed, -1);
        const above = windowsAbove(weighed, -1, Number.NEGATIVE_INFINITY);
        expect(Math.max(...above.map(({ score }) => score))).toBe(best?.score ?? Number.NEGATIVE_INFINITY);
      }),
    );
  });

  test("stand in order, without overlaps, each above what is asked for and within a breath", () => {
    fc.assert(
      fc.property(stretches, fc.integer({ min: -8, max: 8 }), (weighed, least) => {
        let end = 0;
        for (const { from, to, score } of windowsAbove(weighed, 0, least)) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(score).toBeGreaterThan(least);
          expect(to - from).toBeLessThanOrEqual(4);
          expect(weighed.slice(from + 1, to).every(({ joined }) => joined)).toBe(true);
          end = to;
        }
      }),
    );
  });

  test("an order behind a worse one has a window of its own", () => {
    const apart = (sum: number): Weighed => ({ sum, joined: false });
    expect(windowsAbove([apart(9), apart(-5), apart(2)], -1, 0)).toEqual([
      { from: 0, to: 1, score: 8 },
      { from: 2, to: 3, score: 1 },
    ]);
  });
});
