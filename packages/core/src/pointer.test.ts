import { expect, test } from "vitest";
import { readJson } from "./json.ts";
import { below, root, valueAt } from "./pointer.ts";

test("below() escapes what RFC 6901 escapes, in its order", () => {
  expect(below(root, "a")).toBe("/a");
  expect(below(below(root, "a"), 0)).toBe("/a/0");
  expect(below(root, "")).toBe("/");
  expect(below(root, "a/b")).toBe("/a~1b");
  expect(below(root, "m~n")).toBe("/m~0n");
  expect(below(root, "~1")).toBe("/~01");
  expect(below(root, "/~")).toBe("/~1~0");
});

test("valueAt() finds what a pointer leads to, and nothing where it leads nowhere", () => {
  const reading = readJson('{"a/b":[{"~1":null},2],"":{"":3},"__proto__":4,"01":5}');
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  const { json } = reading;
  const at = (...tokens: readonly (string | number)[]) => valueAt(json, tokens.reduce(below, root));
  expect(at()).toMatchObject({ key: undefined, value: { is: "object" } });
  expect(at("a/b", 0, "~1")).toMatchObject({ key: "~1", value: { is: "null" } });
  expect(at("a/b", 1)).toMatchObject({ key: "1", value: { token: "2" } });
  expect(at("", "")).toMatchObject({ key: "", value: { token: "3" } });
  expect(at("__proto__")).toMatchObject({ value: { token: "4" } });
  expect(at("01")).toMatchObject({ value: { token: "5" } });
  for (const tokens of [
    ["a"],
    ["a/b", 2],
    ["a/b", "01"],
    ["a/b", "-1"],
    ["a/b", "length"],
    ["constructor"],
    ["01", "x"],
    ["", "", ""],
  ]) {
    expect(at(...tokens)).toBeUndefined();
  }
});
