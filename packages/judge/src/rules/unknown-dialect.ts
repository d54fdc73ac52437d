import { below } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { dialectNamed } from "../schema/dialect.ts";

/** In a dialect that the validator does not know, nobody can say which arguments the schema allows. */
export const unknownDialect: Rule = {
  id: "unknown-dialect",
  gate: "schema",
  effect: "ask",
  confidence: "high",
  summary: "Has a schema in a dialect that is none of JSON Schema's published ones",
  taxa: ["OWASP-MCP03", "SAFE-T1501"],
  *inspect({ schemas }) {
    for (const document of schemas) {
      for (const { json, at } of document.schemas) {
        if (json.is !== "object") continue;
        for (const { key, value } of json.members) {
          if (key !== "$schema") continue;
          if (value.is !== "string") yield { at: below(at, key), part: "leaf" };
          else if (dialectNamed(value.value) === undefined) {
            yield { at: below(at, key), part: "leaf", span: { start: 0, end: value.value.length } };
          }
        }
      }
    }
  },
};
