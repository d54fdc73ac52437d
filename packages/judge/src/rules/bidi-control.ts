import type { Rule } from "../rule.ts";

/** An override shows one order of letters to a person and leaves another to the model (CVE-2021-42574). */
export const bidiControl: Rule = {
  id: "bidi-control",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Holds characters that change the direction of reading, so that what is shown is not what is read",
  taxa: ["OWASP-MCP03", "AML.T0110", "AML.T0068", "SAFE-T1402"],
  *inspect({ phrases }) {
    for (const { at, part, text } of phrases) {
      if (!any.test(text)) continue;
      for (const { index, 0: run } of text.matchAll(runs)) {
        const span = { start: index, end: index + run.length };
        // One mark beside right-to-left text is good typography. Two in a row do nothing that one does not.
        if (run.length === 1 && marks.includes(run)) yield { at, part, span, effect: "note", confidence: "low" };
        else yield { at, part, span };
      }
    }
  },
};

const marks = "\u061C\u200E\u200F";
const any = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const runs = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;
