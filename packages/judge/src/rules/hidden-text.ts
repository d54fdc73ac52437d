import type { Rule } from "../rule.ts";
import { hiddenRuns } from "../text/hidden-characters.ts";

/** A person reviews what is drawn; a model reads every code point. */
export const hiddenText: Rule = {
  id: "hidden-text",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Holds characters that a person cannot see, or pushes text out of sight with white space",
  taxa: ["OWASP-MCP03", "AML.T0110", "AML.T0068", "SAFE-T1402"],
  *inspect({ phrases }) {
    for (const { at, part, text } of phrases) {
      for (const { start, end, redundant } of hiddenRuns(text)) {
        const span = { start, end };
        const run = text.slice(start, end);
        const says = tagged(run);
        const data = { characters: namesOf(run), ...(says === "" ? {} : { says }) };
        if (redundant) yield { at, part, span, effect: "ask", confidence: "medium", data };
        else yield { at, part, span, data };
      }
      for (const span of gaps(text)) yield { at, part, span, effect: "ask", confidence: "medium" };
    }
  },
};

/** The first few, as `U+200B`. */
function namesOf(run: string): string {
  const points = Array.from(run.slice(0, 64), (character) => character.codePointAt(0) ?? 0);
  const names = points.slice(0, 8).map((point) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`);
  return run.length > 64 || points.length > 8 ? `${names.join(" ")} …` : names.join(" ");
}

/** What tag characters spell: each is an invisible twin of an ASCII character. Server-controlled. */
function tagged(run: string): string {
  let says = "";
  for (const character of run.slice(0, 512)) {
    const point = character.codePointAt(0) ?? 0;
    if (point >= 0xe0020 && point <= 0xe007e) says += String.fromCharCode(point - 0xe0000);
  }
  return says;
}

/** White space wide or high enough to leave a box that text is shown in, with more text behind it. */
function gaps(text: string): readonly { start: number; end: number }[] {
  if (!/\s{12}/.test(text)) return [];
  const found: { start: number; end: number }[] = [];
  let start = 0;
  let lines = 0;
  let column = 0;
  let widest = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\n") {
      lines++;
      column = 0;
    } else if (/\s/.test(character)) {
      column += character === "\t" ? 4 : 1;
      widest = Math.max(widest, column);
    } else {
      if (at > start && (widest > wide || lines > high)) found.push({ start, end: at });
      start = at + 1;
      lines = 0;
      column = 0;
      widest = 0;
    }
  }
  return found;
}

/** Columns, and lines. The widest run in 991 captured definitions has under 40 columns, the highest under 5 lines. */
const wide = 100;
const high = 12;
