import type { Span } from "@countersign/core";
import type { Rule } from "../rule.ts";

/** Markdown and HTML views show a comment to nobody but the model. */
export const htmlComment: Rule = {
  id: "html-comment",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Holds an HTML or Markdown comment, which a person reading the rendered text would not see",
  taxa: ["OWASP-MCP03", "AML.T0110", "AML.T0068", "SAFE-T1402"],
  *inspect({ address, phrases }) {
    if (address.kind === "view") return; // a page's comments reach neither who looks at it nor a model
    for (const { at, part, text } of phrases) {
      for (const span of commentsIn(text)) yield { at, part, span };
    }
  },
};

function* commentsIn(text: string): Iterable<Span> {
  for (let start = text.indexOf("<!--"); start !== -1; start = text.indexOf("<!--", start + 4)) {
    const close = text.indexOf("-->", start + 4);
    const end = close === -1 ? text.length : close + 3;
    // `<!-- -->` names the syntax and hides nothing.
    if (/[\p{L}\p{N}]/u.test(text.slice(start + 4, end))) yield { start, end };
    if (close === -1) break;
    start = close - 1;
  }
  if (!text.includes("]:")) return;
  // A link that nothing refers to: `[//]: # (not shown)`.
  for (const { index, 0: line } of text.matchAll(/\[(?:\/\/|comment|_|note|#|-)\]: ?(?:#|<>) ?["'(][^\n]*/gi)) {
    yield { start: index, end: index + line.length };
  }
}
