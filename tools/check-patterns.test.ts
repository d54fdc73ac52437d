import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { checkPatterns } from "./check-patterns.ts";
import { patternsIn, patternsOf } from "./patterns-of.ts";

describe("a pattern is linear", () => {
  test.each([
    ["/a{2,80}b/", "where everything has a bound"],
    ["/\\bcall [^.]{0,80}\\btool/g", "where everything has a bound"],
    ["/[a-z]{20,}={0,2}/", "with a repetition at the end, which cannot fail any more"],
    ["/^[^-e]*[1-9]/", "with one that is reached from the beginning only"],
    ["/<[a-z]*>/y", "with one that is reached from the beginning only"],
    ["/^[a-z]+(?:_[a-z]+)+$/", "with repetitions that are kept apart"],
    ["/(?:rm|python3?)\\s+-/", "with one behind what it does not hold"],
    ["/\\S\\s+(?=\\S)/g", "with one behind what it does not hold"],
    ["/(?<![\\w.])a|\\p{L}+/u", "with look-arounds and properties"],
  ])("%s, %s", (written) => {
    expect(problemsOf(`const one = ${written};`)).toEqual([]);
  });
});

describe("a pattern is not linear", () => {
  test.each([
    ["/(?:a+)+$/", "is exponential"],
    ["/(?:a|a){20}b/", "is exponential"],
    ["/[a-z]+_/", "may be gone over"],
    ["/=+$/", "may be gone over"],
    ["/^a*a*b/", "may be gone over"],
    ["/^[a-z]+(?:-?[a-z]+)?$/", "may be gone over"],
    ["/^a*b/m", "may be gone over"],
    ["/(?:x+y)*/", "may be gone over"],
    ["/a(?=.*b)/", "may be gone over"],
    ["/a+A+b/i", "may be gone over"],
    ["/B[a-z]*!/i", "may be gone over"],
    ["/(a)\\1/", "cannot be read (backreference)"],
  ])("%s %s", (written, because) => {
    expect(problemsOf(`const one = ${written};`)).toEqual([expect.stringContaining(`a.ts:1 ${because}`)]);
  });
});

test("what is put together of constants is read, and what is not is a problem", () => {
  const made = `const word = "a+";\nconst pair = \`\${word}b\`;\nconst all = new RegExp(\`\${pair}|c\`, "g");`;
  expect(patternsIn("a.ts", made)).toEqual([{ file: "a.ts", line: 3, source: "a+b|c", flags: "g" }]);
  expect(problemsOf("const all = (text: string) => new RegExp(text);")).toEqual([
    expect.stringContaining("is made of more than constants"),
  ]);
});

test("an exception that excepts nothing is a problem", () => {
  expect(checkPatterns([], [{ file: "a.ts", begins: "a", because: "it is short" }])).toHaveLength(1);
});

test("every pattern of the judge is linear [linear.patterns]", () => {
  const patterns = patternsOf(resolve(import.meta.dirname, "../packages/judge/src"));
  expect(patterns.length).toBeGreaterThan(200);
  expect(checkPatterns(patterns)).toEqual([]);
});

function problemsOf(text: string): readonly string[] {
  return checkPatterns(patternsIn("a.ts", text), []);
}
