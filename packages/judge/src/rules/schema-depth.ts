import type { Json } from "@countersign/core";
import type { Rule } from "../rule.ts";
import type { SchemaDocument } from "../schema/schema-document.ts";

/** A validator, a provider or a host that expands references does the work that this only counts. */
export const schemaDepth: Rule = {
  id: "schema-depth",
  gate: "schema",
  effect: "ask",
  confidence: "high",
  summary: "Has a schema too deep, too large, or too large when its references are expanded",
  taxa: ["OWASP-MCP03", "SAFE-T1501"],
  *inspect({ schemas }) {
    for (const document of schemas) {
      const { at } = document;
      const depth = document.schemas.reduce((most, schema) => Math.max(most, schema.depth), 0);
      if (depth > deepest) yield { at, part: "leaf", data: { depth: String(depth) } };
      if (document.schemas.length > largest) {
        yield { at, part: "leaf", data: { schemas: String(document.schemas.length) } };
      }
      const expanded = expandedSize(document);
      if (expanded > largestExpanded) {
        yield {
          at,
          part: "leaf",
          effect: "refuse",
          data: { expanded: expanded > 1e15 ? "more than 10^15" : String(expanded) },
        };
      }
    }
  },
};

/** Schemas within schemas. The deepest of 991 captured tools has 11 levels of JSON, the largest a few hundred schemas. */
const deepest = 32;
const largest = 5_000;
const largestExpanded = 100_000;

/**
 * How many schemas the document would have with every reference replaced by what it refers to, references into an
 * expansion of the same schema left alone. Counted in one pass: each schema is weighed once, with an explicit stack.
 */
function expandedSize({ json: root, schemas, references }: SchemaDocument): number {
  const inner = new Map<Json, Json[]>(schemas.map(({ json }) => [json, []]));
  for (const { json, parent } of schemas) if (parent !== undefined) inner.get(parent.json)?.push(json);
  for (const { from, target } of references) if (typeof target !== "string") inner.get(from.json)?.push(target.json);

  const size = new Map<Json, number>();
  const entered = new Set<Json>();
  const open: Json[] = [root];
  for (let json = open.at(-1); json !== undefined; json = open.at(-1)) {
    if (!entered.has(json)) {
      entered.add(json);
      for (const next of inner.get(json) ?? []) if (!entered.has(next)) open.push(next);
      continue;
    }
    open.pop();
    if (size.has(json)) continue;
    // What is not weighed yet is being weighed: a cycle, counted as one.
    size.set(
      json,
      (inner.get(json) ?? []).reduce((sum, next) => sum + (size.get(next) ?? 1), 1),
    );
  }
  return size.get(root) ?? 0;
}
