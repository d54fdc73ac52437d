import type { Digest } from "@countersign/core";
import { hasOwnOffer, textsNeededBy } from "./event.ts";
import { canonicalEvent, readStored, type StoredEvent, type StoredFault } from "./recorded.ts";
import { isSound, type StoredText } from "./text.ts";

export interface VerifyReport {
  readonly entries: number;
  readonly texts: number;
  /** The hash of the last event. Nothing in a journal says how long it was; who keeps this elsewhere can tell. */
  readonly head: string | undefined;
  /** Empty when the ledger is sound. */
  readonly problems: readonly VerifyProblem[];
}

/** `entry` is a place in the journal, from 1. In a sound ledger it is the `seq` of the event there. */
export type VerifyProblem =
  | (StoredFault & { readonly entry: number })
  /** Not the sequence number that follows; or not the hash of the event before. */
  | { readonly code: "WRONG_SEQ" | "WRONG_PREVIOUS"; readonly entry: number }
  /** Rightly hashed, and yet nothing that Countersign writes. */
  | { readonly code: "NOT_CANONICAL" | "WRONG_OFFER"; readonly entry: number }
  /** Something was approved whose text is gone. */
  | { readonly code: "MISSING_TEXT"; readonly entry: number; readonly digest: Digest }
  /** The text stored under `digest` is not one that it names. */
  | { readonly code: "WRONG_TEXT"; readonly digest: string }
  /** The store's own check of itself, in its words. */
  | { readonly code: "DAMAGED_STORE"; readonly detail: string };

/** Walks a whole ledger as it is stored, and goes on after a problem. */
export function verify(events: Iterable<StoredEvent>, texts: Iterable<StoredText>): VerifyReport {
  const problems: VerifyProblem[] = [];
  /** Where each approved digest is first mentioned. */
  const approved = new Map<Digest, number>();
  let entries = 0;
  let last: StoredEvent | undefined;
  for (const row of events) {
    const entry = ++entries;
    if (Number(row.seq) !== Number(last?.seq ?? 0) + 1) problems.push({ code: "WRONG_SEQ", entry });
    if (row.previous !== last?.hash) problems.push({ code: "WRONG_PREVIOUS", entry });
    last = row;
    const reading = readStored(row);
    if (reading.is === "refused") {
      problems.push({ ...reading.because, entry });
      continue;
    }
    const { event } = reading.recorded;
    if (canonicalEvent(event) !== row.event) problems.push({ code: "NOT_CANONICAL", entry });
    if (!hasOwnOffer(event)) problems.push({ code: "WRONG_OFFER", entry });
    if (event.is !== "approved") continue;
    for (const digest of textsNeededBy(event)) if (!approved.has(digest)) approved.set(digest, entry);
  }
  let count = 0;
  const held = new Set<string>();
  for (const text of texts) {
    count++;
    held.add(text.digest);
    if (!isSound(text)) problems.push({ code: "WRONG_TEXT", digest: text.digest });
  }
  for (const [digest, entry] of approved) {
    if (!held.has(digest)) problems.push({ code: "MISSING_TEXT", entry, digest });
  }
  return { entries, texts: count, head: last?.hash, problems };
}
