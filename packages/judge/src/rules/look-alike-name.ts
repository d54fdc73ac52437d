import { addressKey, below, root } from "@countersign/core";
import { isTool } from "../is-tool.ts";
import type { Rule } from "../rule.ts";
import { nameKey } from "../text/name-key.ts";

/** Hosts keep servers apart by their names, and neither a person nor a model looks at each letter of them. */
export const lookAlikeName: Rule = {
  id: "look-alike-name",
  gate: "identity",
  effect: "ask",
  confidence: "high",
  summary: "Has a name that would be taken for that of another server's approved tool",
  taxa: ["OWASP-MCP03", "AML.T0074", "SAFE-T1004", "SAFE-T1301"],
  *inspect({ address, context }) {
    // Who was here first is not asked about who came later.
    if (!isTool(address.kind) || context.approved.has(addressKey(address))) return;
    const likeness = context.neighbourhood.resembled(address);
    if (likeness === undefined) return;
    const { to, by } = likeness;
    const data = { server: to.server, name: to.name, by };
    const custom = by === "spelling" && sameWords(address.name, to.name) && context.siblings.isHabit(address.name);
    yield { at, part: "leaf", data, ...(custom ? { effect: "note", confidence: "low" } : {}) };
  },
};

const at = below(root, "name");

/** Whether nothing but case and separators differs: that much is a matter of custom. */
function sameWords(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}
