import { readdirSync, readFileSync } from "node:fs";
import {
  type Address,
  asServerName,
  digestOf,
  type Json,
  kinds,
  memberOf,
  type RawDefinition,
  readJson,
  type Snapshot,
} from "@countersign/core";
import { describe, expect, test } from "vitest";
import { contextOf, findingsOf, subjectOf } from "../inspect.ts";
import { defaultPolicy } from "../policy.ts";
import type { Rule } from "../rule.ts";
import { descriptionRules, schemaRules } from "./index.ts";

/**
 * vectors/rules/<rule>/<what>.json: `note`, `definition` and `expect` (the rule's findings in order, or none), and where
 * it matters `kind`, `own` (other tools of the server) and `neighbours` (tools of approved servers).
 */
const folder = new URL("../../../../vectors/rules/", import.meta.url);

interface Expected {
  readonly at: string;
  readonly part: "key" | "leaf";
  readonly effect: "refuse" | "ask" | "note";
  readonly span?: readonly [number, number];
}

for (const rule of [...descriptionRules, ...schemaRules]) {
  describe(rule.id, () => {
    const files = readdirSync(new URL(`${rule.id}/`, folder)).filter((file) => file.endsWith(".json"));
    for (const file of files) {
      const vector = readVector(new URL(`${rule.id}/${file}`, folder));
      test(`${file}: ${textAt(vector, "note")}`, () => {
        const expected = JSON.parse(sourceOf(new URL(`${rule.id}/${file}`, folder))).expect as readonly Expected[];
        const found = findingsIn(vector, rule).map(({ at, part, effect, span }, index) => ({
          at,
          part,
          effect,
          ...(expected[index]?.span === undefined ? {} : { span: [span?.start, span?.end] }),
        }));
        expect(found).toEqual(expected);
      });
    }
  });
}

const nothing: Json = { is: "object", start: 0, end: 2, members: [] };

function findingsIn(vector: Json, rule: Rule) {
  const json = memberOf(vector, "definition");
  if (json === undefined) throw new Error("a vector has no definition");
  const kind = kinds.find((one) => one === (textAt(vector, "kind") ?? "tool"));
  if (kind === undefined) throw new Error("a vector names no kind");
  const name = textAt(json, "name") ?? textAt(json, "uri") ?? kind;
  const definition = definitionOf({ server: server("guarded"), kind, name }, json);
  const others = namesAt(vector, "own").map((own) => definitionOf({ server: server("guarded"), kind: "tool", name: own }, nothing));
  const snapshot: Snapshot = {
    seq: 0,
    now: 0,
    bindings: new Map(),
    withdrawn: new Map(),
    texts: new Map(),
    neighbours: namesAt(vector, "neighbours").map((one) => ({ server: server("neighbour"), kind: "tool", name: one })),
  };
  const context = contextOf([definition, ...others], snapshot);
  const surface = context.offer[0];
  if (surface === undefined) throw new Error("a definition has no surface");
  return findingsOf([rule], subjectOf(surface, json, context), defaultPolicy);
}

function definitionOf(address: Address, json: Json): RawDefinition {
  return { address, text: "", json, received: digestOf(address.kind, json) };
}

function server(name: string): Address["server"] {
  const made = asServerName(name);
  if (made === undefined) throw new Error(`${name} is no server name`);
  return made;
}

function readVector(url: URL): Json {
  const reading = readJson(sourceOf(url));
  if (reading.is === "refused") throw new Error(`${url.pathname}: ${reading.refusal.code}`);
  return reading.json;
}

function sourceOf(url: URL): string {
  return readFileSync(url, "utf8");
}

function textAt(json: Json, key: string): string | undefined {
  const value = memberOf(json, key);
  return value?.is === "string" ? value.value : undefined;
}

function namesAt(json: Json, key: string): readonly string[] {
  const value = memberOf(json, key);
  return value?.is === "array" ? value.items.flatMap((item) => (item.is === "string" ? [item.value] : [])) : [];
}
