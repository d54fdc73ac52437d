import { expect, test } from "vitest";
import { withdrawnKey } from "./binding.ts";
import { digestOfCanonical } from "./digest.ts";

test("withdrawnKey() tells apart what was withdrawn under one name and another", () => {
  const digest = digestOfCanonical("tool", "{}");
  expect(withdrawnKey(digest, "tool a")).toBe(`${digest} tool a`);
  expect(withdrawnKey(digest, "tool a")).not.toBe(withdrawnKey(digest, "tool b"));
});
