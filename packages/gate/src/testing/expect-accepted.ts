import { AssertionError } from "node:assert";
import type { Offer } from "@countersign/core";
import { type JudgeOptions, judgeOffer } from "@countersign/judge";
import { remedyOf } from "../print/rule-page.ts";
import { sayAgainst } from "./say-against.ts";
import { offerOf, type Subject, type SubjectOptions } from "./subject.ts";

/** What `expectAccepted` takes as known. */
export interface AcceptOptions extends SubjectOptions, Pick<JudgeOptions, "acknowledged" | "neighbours" | "policy"> {}

/**
 * Asserts that the gates have nothing against what a server offers: a person who is asked to approve it sees no finding.
 *
 * @throws AssertionError with each finding, where it is, and what to do about it; or saying what could not be looked at
 */
export async function expectAccepted(subject: Subject, options: AcceptOptions = {}): Promise<void> {
  const offer = await offerOf(subject, options);
  const judgement = judgeOffer(offer, undefined, options);
  if (judgement.against.length === 0) return;
  const objected = new Set(judgement.against.map(({ address }) => address));
  const rules = new Set(
    judgement.against.flatMap(({ reason }) => (reason.code === "FINDING" ? [reason.finding.rule] : [])),
  );
  const remedies = await Promise.all([...rules].map(async (rule) => `${rule}: ${await remedyOf(rule)}`));
  const [said, total] = [sayAgainst(offer, judgement), countOf(offer)];
  throw new AssertionError({
    message: [
      `${objected.size} of ${total} definitions of ${offer.server} would not be accepted as they are:`,
      ...said,
      ...(remedies.length === 0 ? [] : ["what to do:", ...remedies.map((remedy) => `  ${remedy}`)]),
    ].join("\n"),
    actual: [...rules],
    expected: [],
    operator: "expectAccepted",
  });
}

function countOf({ definitions, malformed }: Offer): number {
  return definitions.length + malformed.length;
}
