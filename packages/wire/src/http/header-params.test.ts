import { readJson } from "@countersign/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headerParamsOf, paramHeaders } from "./header-params.ts";
import { headerValue } from "./header-value.ts";

function json(value: unknown) {
  const reading = readJson(typeof value === "string" ? value : JSON.stringify(value));
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

const region = { type: "string", "x-mcp-header": "Region" };

describe("headerParamsOf()", () => {
  test("finds what properties lead to", () => {
    const schema = {
      type: "object",
      properties: {
        region,
        deep: { type: "object", properties: { count: { type: "integer", "x-mcp-header": "Count" } } },
      },
    };
    expect(headerParamsOf(json(schema))).toEqual([
      { name: "Region", path: ["region"] },
      { name: "Count", path: ["deep", "count"] },
    ]);
  });

  test.each([
    ["a name that is no token", { properties: { a: { type: "string", "x-mcp-header": "a b" } } }],
    ["a name with a line's end", { properties: { a: { type: "string", "x-mcp-header": "a\r\nx" } } }],
    ["an object", { properties: { a: { type: "object", "x-mcp-header": "A" } } }],
    ["what is no property", { "x-mcp-header": "A", items: { properties: { a: region } } }],
    ["a property of that name", { properties: { "x-mcp-header": { type: "string" } } }],
    ["no schema", []],
  ])("passes over %s", (_what, schema) => {
    expect(headerParamsOf(json(schema))).toEqual([]);
  });
});

describe("paramHeaders()", () => {
  const of = (args: unknown) => [...paramHeaders([{ name: "Region", path: ["in", "region"] }], json(args)).values()];

  test("repeats strings, booleans and numbers", () => {
    expect(of({ in: { region: "eu" } })).toEqual(["eu"]);
    expect(of({ in: { region: false } })).toEqual(["false"]);
    expect(of('{"in":{"region":42.0}}')).toEqual(["42"]);
  });

  test("has no header for what is not there, null, no such value, or no exact number", () => {
    for (const args of [{}, { in: null }, { in: { region: null } }, { in: { region: ["x"] } }])
      expect(of(args)).toEqual([]);
    expect(of('{"in":{"region":9007199254740993}}')).toEqual([]);
  });

  test("reads own members only", () => {
    const params = [{ name: "A", path: ["__proto__", "constructor"] }];
    expect(paramHeaders(params, json("{}")).size).toBe(0);
    expect([...paramHeaders(params, json('{"__proto__":{"constructor":"x"}}')).values()]).toEqual(["x"]);
  });
});

describe("headerValue()", () => {
  // The table of the specification, and what would end a header.
  test.each([
    ["us-west1", "us-west1"],
    ["a b c", "a b c"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["", "=?base64??="],
  ])("%j is %s", (text, value) => expect(headerValue(text)).toBe(value));

  test("is always one visible line, and says the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const value = headerValue(text);
        expect(value).toMatch(/^[!-~](?:[ -~]*[!-~])?$/);
        const coded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
        expect(coded === undefined ? value : Buffer.from(coded, "base64").toString()).toBe(text);
      }),
    );
  });
});
