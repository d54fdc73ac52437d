import { readdirSync, readFileSync } from "node:fs";
import { type Json, kinds, memberOf, readJson } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { findingsOf } from "../inspect.ts";
import { defaultPolicy } from "../policy.ts";
import type { Rule } from "../rule.ts";
import { subjectOfJson } from "../under-test/subject-of-json.ts";
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
    for (const file of readdirSync(new URL(`${rule.id}/`, folder))) {
      const text = readFileSync(new URL(`${rule.id}/${file}`, folder), "utf8");
      const { note, expect: expected }: { note: string; expect: readonly Expected[] } = JSON.parse(text);
      test(`${file}: ${note}`, () => {
        const found = findingsIn(text, rule).map(({ at, part, effect, span }, index) => ({
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

function findingsIn(text: string, rule: Rule) {
  const vector = readJson(text);
  if (vector.is === "refused") throw new Error(vector.refusal.code);
  const definition = memberOf(vector.json, "definition");
  if (definition === undefined) throw new Error("a vector has no definition");
  const [kind] = namesAt(vector.json, "kind");
  const subject = subjectOfJson(definition, {
    kind: kinds.find((one) => one === kind) ?? "tool",
    own: namesAt(vector.json, "own"),
    neighbours: namesAt(vector.json, "neighbours"),
  });
  return findingsOf([rule], () => subject, defaultPolicy);
}

function namesAt(json: Json, key: string): readonly string[] {
  const value = memberOf(json, key);
  const items = value?.is === "array" ? value.items : value === undefined ? [] : [value];
  return items.flatMap((item) => (item.is === "string" ? [item.value] : []));
}
