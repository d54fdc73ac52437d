import { expect, test } from "vitest";
import { asServerName } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import { driftOf } from "./drift.ts";
import { decodeUtf8, type Json, memberOf, readJson } from "./json.ts";
import { rootPlace } from "./place.ts";
import { surfaceOf } from "./surface.ts";
import { findTwin } from "./twins.ts";

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

const arrays = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
const objects = (depth: number, inner: string) => '{"items":'.repeat(depth) + inner + "}".repeat(depth);

test("readJson() refuses half a character that stands raw in the text", () => {
  expect(readJson('"\ud800"')).toEqual({ is: "refused", refusal: { code: "LONE_SURROGATE", at: 0 } });
  expect(readJson('{"\udc00":1}')).toEqual({ is: "refused", refusal: { code: "LONE_SURROGATE", at: 0 } });
});

test("readJson() refuses a hundred thousand levels without a stack of its own overflowing", () => {
  expect(readJson("[".repeat(100_000))).toEqual({ is: "refused", refusal: { code: "TOO_DEEP", at: 128 } });
  expect(readJson(objects(100_000, "1"))).toEqual({ is: "refused", refusal: { code: "TOO_DEEP", at: 1_152 } });
  expect(readJson(`${"[".repeat(100_000)}"`)).toEqual({ is: "refused", refusal: { code: "TOO_DEEP", at: 128 } });
});

test("readJson() reads a hundred thousand levels where the limits allow them", () => {
  const limits = { length: 1_000_000, depth: 100_000, nodes: 1_000_000, number: 10, paths: 0 };
  expect(readJson(arrays(100_000, ""), limits)).toMatchObject({ is: "json", json: { is: "array", end: 200_000 } });
  expect(readJson(arrays(100_001, ""), limits)).toEqual({ is: "refused", refusal: { code: "TOO_DEEP", at: 100_000 } });
  expect(readJson("[".repeat(100_000), limits)).toEqual({ is: "refused", refusal: { code: "NOT_JSON", at: 100_000 } });
});

test("readJson() has bounds of its own", () => {
  expect(readJson(arrays(128, "1")).is).toBe("json");
  expect(readJson(arrays(129, "1"))).toEqual({ is: "refused", refusal: { code: "TOO_DEEP", at: 128 } });
  expect(readJson(`[${"0,".repeat(399_998)}0]`).is).toBe("json");
  expect(readJson(`[${"0,".repeat(399_999)}0]`)).toEqual({
    is: "refused",
    refusal: { code: "TOO_MANY_NODES", at: 799_999 },
  });
  expect(readJson("1".repeat(1_024)).is).toBe("json");
  expect(readJson("1".repeat(1_025))).toEqual({ is: "refused", refusal: { code: "NUMBER_TOO_LONG", at: 0 } });
  expect(readJson(`"${"a".repeat(16_777_214)}"`).is).toBe("json");
  expect(readJson(`"${"a".repeat(16_777_215)}"`)).toEqual({ is: "refused", refusal: { code: "TOO_LARGE", at: 0 } });
});

test("readJson() refuses a key whose pointers would fill the memory", () => {
  const under = (key: string) => `{"a":{"${key}":[${"0,".repeat(99_999)}0]}}`;
  expect(readJson(under("k".repeat(600))).is).toBe("json");
  expect(readJson(under("k".repeat(1_000_000)))).toEqual({ is: "refused", refusal: { code: "TOO_LARGE", at: 6 } });
});

test("readJson() refuses a number of sixteen million digits at once", () => {
  expect(readJson("1".repeat(16_777_216))).toEqual({ is: "refused", refusal: { code: "NUMBER_TOO_LONG", at: 0 } });
});

test("nothing that walks a definition overflows at the depth that readJson() lets through", () => {
  const server = asServerName("files");
  if (server === undefined) throw new Error("no name of a server");
  for (const text of [arrays(128, "1"), objects(128, "1"), `{"inputSchema":${objects(127, "1")}}`]) {
    const json = read(text);
    expect(canonicalize(json)).toBe(text);
    expect(surfaceOf({ server, kind: "tool", name: "a" }, json).carriers.at(-1)).toMatchObject({
      json: { token: "1" },
    });
    expect(findTwin(json, rootPlace("tool"))).toBeUndefined();
    expect(driftOf("tool", json, read(text.replace("1", "2"))).length).toBe(1);
    expect(driftOf("tool", json, read("{}")).length).toBe(1);
    expect(driftOf("tool", read("{}"), json).length).toBe(1);
  }
});

test("decodeUtf8() keeps a byte order mark and makes no replacement characters", () => {
  expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x41]))).toBe("\ufeffA");
  expect(decodeUtf8(new Uint8Array([0x41, 0xff]))).toBeUndefined();
  expect(decodeUtf8(new Uint8Array([0xef, 0xbf, 0xbd]))).toBe("\ufffd");
  expect(decodeUtf8(new Uint8Array())).toBe("");
});

test("memberOf() finds what an object holds, and nothing that objects inherit", () => {
  const json = read('{"a":1,"__proto__":2,"":3}');
  expect(memberOf(json, "a")).toMatchObject({ token: "1" });
  expect(memberOf(json, "__proto__")).toMatchObject({ token: "2" });
  expect(memberOf(json, "")).toMatchObject({ token: "3" });
  expect(memberOf(json, "constructor")).toBeUndefined();
  expect(memberOf(read("[1]"), "0")).toBeUndefined();
  expect(memberOf(undefined, "a")).toBeUndefined();
});
