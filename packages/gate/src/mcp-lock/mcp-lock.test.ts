import { type Json, readJson } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { GateError } from "../gate-error.ts";
import { type LockForm, lockCanonical } from "./canonical-forms.ts";
import { type LockPin, readLock } from "./read-lock.ts";
import { surfaceHash } from "./surface-hash.ts";

function json(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new RangeError(text);
  return reading.json;
}

const tools = [
  '{"name":"save","title":"Save","description":"Saves.","inputSchema":{"type":"object","properties":{"10":{},"9":{},"b":{"default":1.50},"a":{}}}}',
  '{"inputSchema":{"type":"object"},"description":"Reads é.","name":"Read"}',
  '{"name":"bare"}',
].map(json);

describe("the hash over all tools", () => {
  // By sha256sum(1) over the canonical forms, written by hand: names by code unit, so "Read" is first.
  test.each([
    ["rfc8785", ["name", "description", "inputSchema"], "FUHeInUOWOeCJGdD55uB7UiCruAlgi8bEKQ8bUsxscM="],
    ["toolpin-2", ["name", "description", "inputSchema"], "Ni8vUjN5dHFRLZCDzmplATPc+qT2hGcy68b8xYdVfZk="],
    ["rfc8785", ["name", "description"], "5Kg+DBw0yI1q04t8Rlv5b/tDYBtVFnz7/V0El15BIHA="],
  ] as const)("is that of the form %s over %j [import.hash]", (form, coverage, expected) => {
    expect(surfaceHash(tools, { form, coverage })?.toString("base64")).toBe(expected);
    expect(surfaceHash(tools.toReversed(), { form, coverage })?.toString("base64")).toBe(expected);
  });

  test.each<[LockForm, string, string | undefined]>([
    ["rfc8785", '{"b":-0,"a":[1e2,1.50,true,null],"é":"/\\u00e9"}', '{"a":[100,1.5,true,null],"b":0,"é":"/é"}'],
    ["rfc8785", '{"10":1,"9":2}', '{"10":1,"9":2}'],
    ["toolpin-2", '{"b":0,"10":1,"9":2,"09":3}', '{"9":2,"10":1,"09":3,"b":0}'],
    ["toolpin-2", '{"4294967295":1,"4294967294":2}', '{"4294967294":2,"4294967295":1}'],
    ["toolpin-2", '{"e\\u0301":1}', '{"é":1}'],
    ["rfc8785", '{"e\\u0301":1}', '{"e\u0301":1}'],
    ["rfc8785", '{"e\\u0301":1,"\\u00e9":2}', undefined],
    ["toolpin-2", '[{"e\\u0301":1,"\\u00e9":2}]', undefined],
    ["rfc8785", "[1e400]", undefined],
    ["toolpin-2", "[1e400]", "[null]"],
  ])("writes in the form %s the value %s [import.hash]", (form, text, expected) => {
    expect(lockCanonical(json(text), form)).toBe(expected);
  });
});

const surface = {
  hash: "sha256-FUHeInUOWOeCJGdD55uB7UiCruAlgi8bEKQ8bUsxscM=",
  coverage: ["name", "description", "inputSchema"],
  toolCount: 3,
};
const entry = { name: "org.example/notes", client: "cursor", surface };
// By sha256sum(1) over the entry without it: {"client":"cursor","name":"org.example/notes","surface":{...}}.
const integrity = "sha256-a46K8tLkxAR9XfXWNb/S5G05Vu5wcjBgbP84aPuKLFs=";

function pins(lock: unknown): readonly LockPin[] {
  return readLock(Buffer.from(JSON.stringify(lock)), "mcp-lock.json").entries.map(({ pin }) => pin);
}

function refusal(text: string): string {
  try {
    readLock(Buffer.from(text), "mcp-lock.json");
  } catch (error) {
    expect(error).toBeInstanceOf(GateError);
    return (error as GateError).message;
  }
  return expect.unreachable();
}

describe("a lockfile", () => {
  test("of mcp-lock/1 is read, and each entry is checked to be as it was locked [import.read]", () => {
    const [pin] = pins({ specVersion: 1, entries: [{ ...entry, integrity }] });
    expect(pin).toMatchObject({ is: "surface", form: "rfc8785", coverage: surface.coverage, tools: 3, intact: true });
    for (const other of [
      { ...entry, integrity: integrity.replace("=", "") },
      { ...entry, version: "2", integrity },
      { ...entry, surface: { ...surface, toolCount: 4 }, integrity },
      entry,
    ]) {
      expect(pins({ specVersion: 1, entries: [other] })).toEqual([{ is: "none", code: "BAD_INTEGRITY" }]);
    }
  });

  test("of ToolPin's own version 2 is read, and says that its entries are not checked [import.read]", () => {
    const of = (capabilityManifest: unknown) =>
      pins({ lockfileVersion: 2, servers: { "a:b": { name: "a", client: "b", capabilityManifest } } });
    const value = "362f2f5233797471512d9083ce6a650133dcfaa4f6846732ebc6fcc587557d99";
    const hash = { algorithm: "sha256", coverage: surface.coverage, value, toolCount: 3 };
    expect(of({ toolSurfaceHash: hash })).toMatchObject([
      { is: "surface", form: "toolpin-2", tools: 3, intact: false },
    ]);
    expect(of({ toolDescriptionHash: hash })).toEqual([{ is: "none", code: "LEGACY_HASH" }]);
    expect(of({})).toEqual([{ is: "none", code: "NO_SURFACE" }]);
    for (const bad of [
      { ...hash, algorithm: "sha1" },
      { ...hash, value: value.toUpperCase() },
      { ...hash, coverage: ["name"] },
      { ...hash, coverage: ["name", "description", "title"] },
      { ...hash, coverage: ["name", "name", "description"] },
      { ...hash, toolCount: -1 },
      { ...hash, toolCount: "3" },
    ]) {
      expect(of({ toolSurfaceHash: bad })).toEqual([{ is: "none", code: "BAD_SURFACE" }]);
    }
  });

  test("that two readers could understand differently is none [import.read]", () => {
    expect(refusal('{"specVersion":1,"entries":[],"entries":[]}')).toContain("DUPLICATE_KEY");
    expect(refusal('{"specVersion":1,"entries":[],"e\\u0301":1,"\\u00e9":2}')).toContain("one in Unicode NFC");
    expect(refusal(`{"specVersion":1,"entries":[${JSON.stringify(entry)},${JSON.stringify(entry)}]}`)).toContain(
      "one name, client and scope",
    );
    expect(refusal('{"specVersion":2,"entries":[]}')).toContain("neither");
    expect(refusal('{"specVersion":1,"entries":[{"name":1}]}')).toContain("no name");
    expect(refusal("[]")).toContain("neither");
    expect(refusal("nonsense")).toContain("NOT_JSON");
  });
});
