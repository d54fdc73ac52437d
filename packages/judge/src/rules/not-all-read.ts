import type { Rule } from "../rule.ts";
import { mostRead } from "../text/share-read.ts";

/** What was not looked at was not found clean. A person should know that the rules have nothing to say about it. */
export const notAllRead: Rule = {
  id: "not-all-read",
  gate: "description",
  effect: "ask",
  confidence: "high",
  summary: "Holds more text than the rules read, so that nothing is known about the rest of it",
  taxa: ["OWASP-MCP03", "AML.T0110", "AML.T0068", "SAFE-T1402"],
  *inspect({ unread }) {
    if (unread === undefined) return;
    const { at, part, span, of } = unread;
    yield { at, part, span, data: { read: String(mostRead), of: String(of) } };
  },
};
