import type { Claim, Rule, Subject, Text } from "../rule.ts";
import type { DecodedRun } from "../text/decoded-runs.ts";
import { Reading } from "../text/reading.ts";
import { textRules } from "./text-rules.ts";

/** A model decodes without being asked to; a person does not. */
export const encodedText: Rule = {
  id: "encoded-text",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Holds sentences in an encoding, or orders whose letters are shifted, reversed, spaced out or replaced",
  taxa: ["OWASP-MCP03", "AML.T0110", "AML.T0068", "SAFE-T1402"],
  *inspect(subject) {
    let judged = 0;
    for (const text of subject.texts) {
      for (const run of text.reading.decoded) {
        const { at, part } = text;
        const data = { encoding: run.encoding, says: run.says.slice(0, 200) };
        if (++judged > enough && run.ordinary) continue;
        // Nobody reviews more than that, and no honest definition holds it.
        if (judged > enough || isOrder(run, text, subject)) {
          yield { at, part, span: run.span, effect: "refuse", confidence: "high", data };
        } else if (!run.ordinary && text.role !== "media") yield { at, part, span: run.span, data };
      }
    }
  },
};

const enough = 200;

function isOrder({ says, ordinary }: DecodedRun, { at, part, role }: Text, subject: Subject): boolean {
  if (!ordinary && order.test(says)) return true;
  const texts = [{ at, part, role, text: says, reading: new Reading(says) }];
  const decoded = { ...subject, texts, phrases: texts };
  return textRules.some((rule) => {
    for (const claim of rule.inspect(decoded)) if (speaks(rule, claim)) return true;
    return false;
  });
}

function speaks(rule: Rule, claim: Claim): boolean {
  return (claim.effect ?? rule.effect) !== "note";
}

/** A command line, or a sentence that begins with an order. */
const order =
  /\b(?:curl|wget|bash|sh|zsh|powershell|iwr|chmod|chown|nc|ncat|eval|exec|sudo|rm|scp|python3?|node|base64)\s+[-/~"'$\w.:+]|\/bin\/(?:ba|z)?sh\b|(?:^|[.!?:;,]\s*|\b(?:please|must|always|now|then|first)\s+)(?:send|read|call|run|execute|invoke|include|append|upload|post|forward|ignore|reveal|delete|use|tell|pass|copy|fetch|write|open|print|output|add|do not|never)\b/i;
