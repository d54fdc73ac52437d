import type { Span } from "@countersign/core";
import { clauseSpans } from "../text/clauses.ts";

/**
 * A text without every clause that one of these spans touches. Empty where nothing is left that says anything.
 *
 * @param spans undefined for one that is about all of the text
 */
export function withoutClauses(text: string, spans: readonly (Span | undefined)[]): string {
  const out = spans.map((span) => span ?? { start: 0, end: text.length });
  const touched = clauseSpans(text).filter((clause) => out.some((span) => meets(clause, span)));
  const cuts = [...out, ...touched].sort((a, b) => a.start - b.start);
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of cuts) {
    if (start > from) kept.push(text.slice(from, start).trim());
    from = Math.max(from, end);
  }
  kept.push(text.slice(from).trim());
  const left = kept.filter((part) => part !== "").join(" ");
  return /[\p{L}\p{N}]/u.test(left) ? left : "";
}

/** A span of no width points between two characters, and means the clause that it stands in. */
function meets(clause: Span, span: Span): boolean {
  return span.start < clause.end && clause.start < Math.max(span.end, span.start + 1);
}
