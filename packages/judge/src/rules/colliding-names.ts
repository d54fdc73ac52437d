import { addressKey, below, root } from "@countersign/core";
import { hostLimit } from "../names/host-name.ts";
import type { Rule } from "../rule.ts";

/** Two names that are one to a host leave it to the host which of the two is called. */
export const collidingNames: Rule = {
  id: "colliding-names",
  gate: "identity",
  effect: "ask",
  confidence: "high",
  summary: "Has a name that would be taken for another one of the same server, or that hosts cut to the same",
  taxa: ["OWASP-MCP03", "SAFE-T1004"],
  *inspect({ address, context }) {
    if (context.approved.has(addressKey(address))) return;
    const likeness = context.siblings.resembled(address);
    if (likeness === undefined) return;
    const { to, by } = likeness;
    // Short names are cut where the operator's name for the server is long, which is no doing of the server's.
    const unmeant = by === "host-name" && address.name.length <= hostLimit / 2;
    yield {
      at: below(root, "name"),
      part: "leaf",
      data: { name: to.name, by },
      ...(unmeant ? { effect: "note" } : {}),
    };
  },
};
