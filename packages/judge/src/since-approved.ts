import type { Finding } from "@countersign/core";
import { learned } from "./corroborated.ts";
import type { Policy } from "./policy.ts";
import type { Subject } from "./rule.ts";

/** A text that was judged, and what was found in it. */
export interface Found {
  readonly subject: Subject;
  readonly findings: readonly Finding[];
}

/** A finding, and whether it came with a change. */
export interface Dated {
  readonly finding: Finding;
  readonly added: boolean;
}

/**
 * Tells the findings about words that the same rule had found in the approved text from those that a change brings in. Words
 * may have moved; a finding about other words in the same place is another one. Honest tools seldom grow orders: what only
 * nearly reads like one is asked about where it is new, unless the operator has said otherwise.
 */
export function sinceApproved({ subject, findings }: Found, approved: Found, { severities }: Policy): readonly Dated[] {
  const before = new Set(approved.findings.map((finding) => claimOf(finding, approved.subject)));
  return findings.map((finding) => {
    const added = !before.has(claimOf(finding, subject));
    const raised = added && finding.rule === learned && finding.effect === "note" && !severities.has(learned);
    return { finding: raised ? { ...finding, effect: "ask" } : finding, added };
  });
}

function claimOf({ rule, at, part, span }: Finding, { texts }: Subject): string {
  const text = span === undefined ? undefined : texts.find((one) => one.at === at && one.part === part)?.text;
  return JSON.stringify([rule, text === undefined ? [at, part] : text.slice(span?.start, span?.end)]);
}
