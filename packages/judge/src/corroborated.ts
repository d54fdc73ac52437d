import type { Finding } from "@countersign/core";
import type { Policy } from "./policy.ts";

/**
 * Where a rule that names what it found asks about a place, and the learned model takes the same place for an order with
 * high confidence, both together refuse: neither does alone. What the operator has said about a rule stands.
 */
export function corroborated(findings: readonly Finding[], { severities }: Policy): readonly Finding[] {
  const sure = findings.filter(({ rule, confidence }) => rule === learned && confidence === "high");
  if (sure.length === 0) return findings;
  return findings.map((finding) => {
    if (finding.rule === learned || finding.effect !== "ask" || grey.has(finding.rule) || severities.has(finding.rule))
      return finding;
    const other = sure.find((one) => one.at === finding.at && one.part === finding.part && overlap(one, finding));
    return other === undefined
      ? finding
      : { ...finding, effect: "refuse", data: new Map([...finding.data, ["corroborated", learned]]) };
  });
}

/** What honest vendors claim of their tools as well, loudly: a person decides, whatever else speaks against it. */
const grey: ReadonlySet<string> = new Set(["precedence", "preference"]);

/** The rule that a model speaks through. */
export const learned = "reads-as-order";

function overlap({ span: one }: Finding, { span: other }: Finding): boolean {
  return one === undefined || other === undefined || (one.start < other.end && other.start < one.end);
}
