import type { Rule } from "../rule.ts";
import { identifiedIn } from "../schema/identifiers.ts";

/** Countersign never looks a schema up by its identifier. A host that does takes whichever of the two it read last. */
export const schemaIdCollision: Rule = {
  id: "schema-id-collision",
  gate: "schema",
  effect: "ask",
  confidence: "high",
  summary: "Has a schema with the identifier or anchor of another one that says something else",
  taxa: ["OWASP-MCP03", "SAFE-T1501"],
  *inspect({ schemas, context }) {
    for (const document of schemas) {
      for (const { at, identifier } of identifiedIn(document)) {
        if (!context.collidingIdentifiers.has(identifier)) continue;
        const span = identifier === "" ? {} : { span: { start: 0, end: identifier.length } };
        yield { at, part: "leaf", ...span, data: { name: "identifier" } };
      }
      for (const { at, name, twice } of document.anchors) {
        if (!twice) continue;
        const span = name === "" ? {} : { span: { start: 0, end: name.length } };
        yield { at, part: "leaf", ...span, data: { name: "anchor" } };
      }
    }
  },
};
