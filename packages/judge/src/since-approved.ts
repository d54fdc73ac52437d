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
  const [then, now] = [claimIn(approved.subject), claimIn(subject)];
  const before = new Set(approved.findings.map(then));
  return findings.map((finding) => {
    const added = !before.has(now(finding));
    const raised = added && finding.rule === learned && finding.effect === "note" && !severities.has(learned);
    return { finding: raised ? { ...finding, effect: "ask" } : finding, added };
  });
}

/** What a finding is about, in words. The texts are looked up: a hostile definition has as many of them as findings, and more. */
function claimIn({ texts }: Subject): (finding: Finding) => string {
  const keyOf = ({ at, part }: Pick<Finding, "at" | "part">) => `${part} ${at}`;
  const byPlace = new Map(texts.map((text) => [keyOf(text), text.text]));
  return (finding) => {
    const { rule, at, part, span } = finding;
    const text = span === undefined ? undefined : byPlace.get(keyOf(finding));
    return JSON.stringify([rule, text === undefined ? [at, part] : text.slice(span?.start, span?.end)]);
  };
}
