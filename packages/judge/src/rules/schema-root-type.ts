import { memberOf } from "@countersign/core";
import type { Rule } from "../rule.ts";

/** The published SDKs parse a list as a whole: one tool without this word, and their clients throw every tool away. */
export const schemaRootType: Rule = {
  id: "schema-root-type",
  gate: "schema",
  effect: "refuse",
  confidence: "high",
  summary: 'Has an input schema whose root does not say `"type": "object"`',
  taxa: ["OWASP-MCP03", "SAFE-T1501"],
  *inspect({ schemas }) {
    for (const { json, at } of schemas) {
      const type = memberOf(json, "type");
      if (type?.is === "string" && type.value === "object") continue;
      // Since 2026-07-28 an output may be anything; SDKs before 2.0 throw the list away all the same.
      if (at === "/inputSchema") yield { at, part: "leaf" };
      else yield { at, part: "leaf", effect: "note" };
    }
  },
};
