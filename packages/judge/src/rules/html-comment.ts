import type { Rule } from "../rule.ts";

/** Markdown and HTML views show a comment to nobody but the model. */
export const htmlComment: Rule = {
  id: "html-comment",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Holds an HTML comment, which a person reading the rendered text would not see",
  taxa: ["OWASP-MCP03", "AML.T0110", "AML.T0068", "SAFE-T1402"],
  *inspect({ texts }) {
    for (const { at, part, text } of texts) {
      for (let start = text.indexOf("<!--"); start !== -1; start = text.indexOf("<!--", start + 4)) {
        const close = text.indexOf("-->", start + 4);
        yield { at, part, span: { start, end: close === -1 ? text.length : close + 3 } };
        if (close === -1) break;
        start = close - 1;
      }
    }
  },
};
