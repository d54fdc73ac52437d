import { readdirSync, readFileSync } from "node:fs";
import { type Json, kinds, memberOf, readJson } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { findingsOf } from "../inspect.ts";
import { defaultPolicy } from "../policy.ts";
import type { Rule } from "../rule.ts";
import { subjectOfJson } from "../under-test/subject-of-json.ts";
import { descriptionRules, identityRules, schemaRules } from "./index.ts";

/**
 * vectors/rules/<rule>/<what>.json: `note`, `definition` and `expect` (the rule's findings in order, or none), and where
 * it matters `kind`, `server` (the operator's name for it), `own` (other tools that it offers), `bound` (definitions of it
 * that are approved) and `neighbours` (tools of approved servers: names, or objects of a `server` and a `name`). Where the
 * definition has the string `<long>`, it means the text `long.of`, `long.times` times.
 */
const folder = new URL("../../../../vectors/rules/", import.meta.url);

interface Expected {
  readonly at: string;
  readonly part: "key" | "leaf";
  readonly effect: "refuse" | "ask" | "note";
  readonly span?: readonly [number, number];
  /** The finding's data, where they matter. */
  readonly data?: Readonly<Record<string, string>>;
}

for (const rule of [...descriptionRules, ...schemaRules, ...identityRules]) {
  describe(rule.id, () => {
    for (const file of readdirSync(new URL(`${rule.id}/`, folder))) {
      const text = writtenOut(readFileSync(new URL(`${rule.id}/${file}`, folder), "utf8"));
      const { note, expect: expected }: { note: string; expect: readonly Expected[] } = JSON.parse(text);
      test(`${file}: ${note}`, () => {
        const found = findingsIn(text, rule).map(({ at, part, effect, span, data }, index) => ({
          at,
          part,
          effect,
          ...(expected[index]?.span === undefined ? {} : { span: [span?.start, span?.end] }),
          ...(expected[index]?.data === undefined ? {} : { data: Object.fromEntries(data) }),
        }));
        expect(found).toEqual(expected);
      });
    }
  });
}

function writtenOut(text: string): string {
  const { long }: { long?: { readonly of: string; readonly times: number } } = JSON.parse(text);
  return long === undefined ? text : text.replaceAll('"<long>"', () => JSON.stringify(long.of.repeat(long.times)));
}

function findingsIn(text: string, rule: Rule) {
  const vector = readJson(text);
  if (vector.is === "refused") throw new Error(vector.refusal.code);
  const definition = memberOf(vector.json, "definition");
  if (definition === undefined) throw new Error("a vector has no definition");
  const kind = stringAt(vector.json, "kind");
  const server = stringAt(vector.json, "server");
  const subject = subjectOfJson(definition, {
    kind: kinds.find((one) => one === kind) ?? "tool",
    ...(server === undefined ? {} : { server }),
    own: namesAt(vector.json, "own"),
    neighbours: itemsAt(vector.json, "neighbours").map((item) => ({
      server: stringAt(item, "server") ?? "neighbour",
      name: item.is === "string" ? item.value : (stringAt(item, "name") ?? ""),
    })),
    bound: itemsAt(vector.json, "bound").map((item) => ({ text: text.slice(item.start, item.end), json: item })),
  });
  return findingsOf([rule], () => subject, defaultPolicy);
}

function itemsAt(json: Json, key: string): readonly Json[] {
  const value = memberOf(json, key);
  return value?.is === "array" ? value.items : [];
}

function namesAt(json: Json, key: string): readonly string[] {
  return itemsAt(json, key).flatMap((item) => (item.is === "string" ? [item.value] : []));
}

function stringAt(json: Json, key: string): string | undefined {
  const value = memberOf(json, key);
  return value?.is === "string" ? value.value : undefined;
}
