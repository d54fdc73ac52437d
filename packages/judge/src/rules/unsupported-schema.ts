import type { Rule } from "../rule.ts";
import { schemaQuirks } from "../schema/schema-quirks.ts";

/** What a reviewer reads is not what the server, the host or the provider checks, and each of them checks something else. */
export const unsupportedSchema: Rule = {
  id: "unsupported-schema",
  gate: "schema",
  effect: "ask",
  confidence: "high",
  summary: "Has a schema that validators read differently, or that says what its own dialect ignores",
  taxa: ["OWASP-MCP03", "SAFE-T1501"],
  *inspect({ schemas }) {
    for (const document of schemas) {
      for (const { at, because } of schemaQuirks(document)) yield { at, part: "leaf", data: { because } };
    }
  },
};
