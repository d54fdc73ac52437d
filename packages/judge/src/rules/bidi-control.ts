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
      const typeset = [...text.matchAll(single)].length <= most && rightToLeft.test(text);
      for (const { index, 0: run } of text.matchAll(runs)) {
        const span = { start: index, end: index + run.length };
        const within = /\p{L}/u.test(text.charAt(index - 1)) && /\p{L}/u.test(text.charAt(span.end));
        if (typeset && !within && run.length === 1 && marks.includes(run)) {
          yield { at, part, span, effect: "note", confidence: "low" };
        } else yield { at, part, span };
      }
    }
  },
};

/**
 * One mark beside a right-to-left word is good typography. Between two letters, in a row, in a text without such words or
 * in great number they set nothing right, and can spell something.
 */
const marks = "\u061C\u200E\u200F";
const single = /[\u061C\u200E\u200F]/g;
const rightToLeft = /\p{scx=Hebrew}|\p{scx=Arabic}|\p{scx=Syriac}|\p{scx=Thaana}|\p{scx=Nko}|\p{scx=Adlam}/u;
const most = 32;
const any = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const runs = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/g;
