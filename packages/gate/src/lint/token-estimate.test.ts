import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { tokensIn } from "./token-estimate.ts";

const file = resolve(import.meta.dirname, "../../../../vectors/tokens/o200k.json");
const { cases } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly cases: readonly { readonly note: string; readonly text: string; readonly tokens: number }[];
};

describe("tokensIn()", () => {
  for (const { note, text, tokens } of cases) {
    test(`is within a quarter of what o200k makes of ${note} [lint.tokens]`, () => {
      expect(Math.abs(tokensIn(text) / tokens - 1)).toBeLessThan(0.25);
    });
  }

  test("is within a tenth over all of the English ones [lint.tokens]", () => {
    const english = cases.filter(({ note }) => /English|a tool|a schema|identifiers/.test(note));
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    const estimated = sum(english.map(({ text }) => tokensIn(text)));
    expect(Math.abs(estimated / sum(english.map(({ tokens }) => tokens)) - 1)).toBeLessThan(0.1);
  });

  test("takes time in proportion to the text", () => {
    for (const part of ["a", "é", "中", '{"', "0", " ", "я", 'é中я"a0 ']) {
      const start = performance.now();
      tokensIn(part.repeat(400_000 / part.length));
      // Quadratic, each of these takes minutes.
      expect(performance.now() - start).toBeLessThan(1_000);
    }
  });

  test("is nothing for nothing", () => {
    expect(tokensIn("")).toBe(0);
  });
});
