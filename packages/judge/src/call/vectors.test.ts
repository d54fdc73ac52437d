import { readdirSync, readFileSync } from "node:fs";
import { type Json, memberOf } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { jsonOf } from "../under-test/json-of.ts";
import { checkArguments } from "./check-arguments.ts";
import { narrowArguments } from "./narrow.ts";
import { narrowFaults } from "./narrow-faults.ts";

/**
 * vectors/arguments/<what>.json: `note`, `schema`, `closeRoot` (false where it is not said) and `cases` of `args` and
 * `expect`, the violations in order. vectors/narrow/<what>.json: `narrow`, `approved` (the tool's schema), `faults` (of the
 * narrow itself) and `cases`. Everything is read losslessly, so numbers and keys may be any.
 */
const vectors = new URL("../../../../vectors/", import.meta.url);

for (const { file, vector, note } of vectorsIn("arguments")) {
  describe(`[call.arguments] arguments/${file}: ${note}`, () => {
    const closeRoot = memberOf(vector, "closeRoot")?.is === "boolean";
    for (const { name, args, expected } of casesOf(vector)) {
      test(name, () => expect(checkArguments(demand(vector, "schema"), args, { closeRoot })).toEqual(expected));
    }
  });
}

for (const { file, vector, note } of vectorsIn("narrow")) {
  describe(`[call.narrow] narrow/${file}: ${note}`, () => {
    const narrow = demand(vector, "narrow");
    const approved = demand(vector, "approved");
    test("has these faults", () => expect(narrowFaults(narrow, approved)).toEqual(plain(demand(vector, "faults"))));
    for (const { name, args, expected } of casesOf(vector)) {
      test(name, () => expect(narrowArguments(narrow, args, approved)).toEqual(expected));
    }
  });
}

function vectorsIn(folder: string) {
  return readdirSync(new URL(`${folder}/`, vectors)).map((file) => {
    const vector = jsonOf(readFileSync(new URL(`${folder}/${file}`, vectors), "utf8"));
    return { file, vector, note: plain(demand(vector, "note")) };
  });
}

function casesOf(vector: Json) {
  const cases = demand(vector, "cases");
  return (cases.is === "array" ? cases.items : []).map((one, index) => ({
    name: `case ${index}`,
    args: demand(one, "args"),
    expected: plain(demand(one, "expect")),
  }));
}

function demand(json: Json, key: string): Json {
  const value = memberOf(json, key);
  if (value === undefined) throw new Error(`a vector has no ${key}`);
  return value;
}

/** Expectations hold no number, and no key that a plain object has already. */
function plain(json: Json): unknown {
  switch (json.is) {
    case "null":
      return null;
    case "boolean":
    case "string":
      return json.value;
    case "number":
      return Number(json.token);
    case "array":
      return json.items.map(plain);
    case "object":
      return Object.fromEntries(json.members.map(({ key, value }) => [key, plain(value)]));
  }
}
