import { expect, test } from "vitest";
import { driftOf } from "./drift.ts";
import { driftClasses } from "./drift-class.ts";
import { type Json, readJson } from "./json.ts";

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

test("driftOf() gives what stood there and what stands there in canonical form, whole", () => {
  const before = '{"name":"a","inputSchema":{},"x":{"b":1.0,"a":[]},"icons":[{"src":"i"}]}';
  const after = '{"name":"a","inputSchema":{},"y":{ "b":"\\u0061" },"icons":[{"src":"i"},{"src":"j"}]}';
  expect(driftOf("tool", read(before), read(after))).toEqual([
    { at: "/y", role: "opaque", change: "added-prose", after: '{"b":"a"}' },
    { at: "/icons/1", role: "media", change: "changed-media", after: '{"src":"j"}' },
    { at: "/x", role: "opaque", change: "changed-opaque", before: '{"a":[],"b":1}' },
  ]);
});

test("driftOf() ranks what loosens before what tightens", () => {
  expect(driftClasses).toEqual([
    "loosened-hint",
    "removed-prohibition",
    "widened-contract",
    "added-prose",
    "changed-prose",
    "changed-contract",
    "changed-identity",
    "changed-media",
    "changed-opaque",
    "narrowed-contract",
    "tightened-hint",
    "removed-prose",
    "permuted",
  ]);
});

test("driftOf() takes a hundred and fifty thousand things that come and go at once", () => {
  const many = read(`{"a":{${Array.from({ length: 150_000 }, (_, index) => `"${index}":0`).join(",")}}}`);
  expect(driftOf("skill", read("{}"), many)).toMatchObject([{ at: "/a", change: "changed-opaque" }]);
  expect(driftOf("skill", many, read('{"a":"b"}'))).toMatchObject([{ at: "/a", change: "added-prose" }]);
});
