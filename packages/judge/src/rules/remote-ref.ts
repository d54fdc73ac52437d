import type { Rule } from "../rule.ts";

/** What stands elsewhere was not approved, and can change without this definition changing. */
export const remoteRef: Rule = {
  id: "remote-ref",
  gate: "schema",
  effect: "refuse",
  confidence: "high",
  summary: "Refers to a schema outside itself, or to a place in itself that does not exist or is two",
  taxa: ["OWASP-MCP03", "OWASP-MCP04", "AML.T0110", "SAFE-T1501"],
  *inspect({ schemas }) {
    for (const { references } of schemas) {
      for (const reference of references) {
        if (typeof reference.target !== "string") continue;
        const { written } = reference;
        yield {
          at: reference.at,
          part: "leaf",
          ...(written === undefined ? {} : { span: { start: 0, end: written.length } }),
          data: { target: reference.target },
        };
      }
    }
  },
};
