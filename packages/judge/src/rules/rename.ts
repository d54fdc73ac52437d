import { addressKey, below, root } from "@countersign/core";
import type { Rule } from "../rule.ts";

/** Under a new name a definition has no past: nobody sees what changed, or that it was turned down. */
export const rename: Rule = {
  id: "rename",
  gate: "identity",
  effect: "ask",
  confidence: "medium",
  summary: "Is new, and seems to be what the same server offered under another name before",
  taxa: ["OWASP-MCP03", "AML.T0110", "SAFE-T1201"],
  *inspect({ address, json, context }) {
    if (context.approved.has(addressKey(address))) return;
    const former = context.vanished.twinOf(address, json);
    if (former === undefined) return;
    yield { at: below(root, "name"), part: "leaf", data: { ...former } };
  },
};
