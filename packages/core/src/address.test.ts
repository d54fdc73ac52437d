import { expect, test } from "vitest";
import { addressKey, asServerName } from "./address.ts";

test("asServerName() takes names that no terminal, shell or path takes for syntax", () => {
  for (const name of ["a", "files", "Files-2", "io.github_x", "0", "a".repeat(64)])
    expect(asServerName(name)).toBe(name);
});

test("asServerName() refuses every other name", () => {
  for (const name of [
    "",
    "-a",
    ".",
    "..",
    "_a",
    "a b",
    "a/b",
    "a\\b",
    "a\n",
    "a:b",
    "a\u0000",
    "é",
    "\u212a",
    "a".repeat(65),
  ]) {
    expect(asServerName(name)).toBeUndefined();
  }
});

test("addressKey() gives different definitions different keys", () => {
  const keys = [
    addressKey({ kind: "tool", name: "a" }),
    addressKey({ kind: "sampled-tool", name: "a" }),
    addressKey({ kind: "tool", name: " a" }),
    addressKey({ kind: "tool", name: "tool a" }),
    addressKey({ kind: "tool", name: "" }),
  ];
  expect(keys).toEqual(["tool a", "sampled-tool a", "tool  a", "tool tool a", "tool "]);
});
