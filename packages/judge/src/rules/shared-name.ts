import { addressKey, below, root } from "@countersign/core";
import { isTool } from "../is-tool.ts";
import type { Rule } from "../rule.ts";

/** Thirty of 991 captured tools have the name of another server's: hosts put the server's name before it. */
export const sharedName: Rule = {
  id: "shared-name",
  gate: "identity",
  effect: "note",
  confidence: "high",
  summary: "Has the very name of another server's approved tool",
  taxa: ["OWASP-MCP03", "AML.T0074", "SAFE-T1004"],
  *inspect({ address, context }) {
    if (!isTool(address.kind) || context.approved.has(addressKey(address))) return;
    const same = context.neighbourhood.named(address.name);
    if (same !== undefined) yield { at: below(root, "name"), part: "leaf", data: { server: same.server } };
  },
};
