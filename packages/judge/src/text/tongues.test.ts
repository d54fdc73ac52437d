import { expect, test } from "vitest";
import { checkPatterns } from "../../../../tools/check-patterns.ts";
import { foldedPatterns } from "./tongues.ts";

test("patterns of other languages are linear, folded as they are [linear.patterns]", () => {
  const patterns = foldedPatterns.map(({ source, flags }) => ({ file: "text/tongues.ts", line: 0, source, flags }));
  expect(checkPatterns(patterns, [])).toEqual([]);
});
