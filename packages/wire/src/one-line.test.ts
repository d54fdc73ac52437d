import { expect, test } from "vitest";
import { growthOf, oneLine } from "./one-line.ts";

test("oneLine() leaves nothing that any reader takes for the end of a line, and the same value", () => {
  const text = '{"a":\r\n"b\u0085c\u2028d\u2029e",\r"f":1}';
  const line = oneLine(text);
  expect(line).toBe('{"a": "b\\u0085c\\u2028d\\u2029e", "f":1}');
  expect(JSON.parse(line)).toEqual(JSON.parse(text));
});

test("oneLine() gives everything else back as it is", () => {
  const text = '{"a":"\t\u000b\u000c\u001c\\u2028 \\r\\n\u00a0é中😀"}';
  expect(oneLine(text)).toBe(text);
});

test("oneLine() respells at every place of a long text", () => {
  const text = `"${"x".repeat(65_534)}\u2028${"😀".repeat(65_536)}\u0085"`;
  expect(oneLine(text)).toBe(`"${"x".repeat(65_534)}\\u2028${"😀".repeat(65_536)}\\u0085"`);
});

test("growthOf() counts the bytes that respelling a string adds", () => {
  for (const text of ['"a"', '"\u0085"', '"a\u2028\u2029\u2029"', "[\r,\n1]"]) {
    expect(growthOf(text)).toBe(Buffer.byteLength(oneLine(text)) - Buffer.byteLength(text));
  }
});
