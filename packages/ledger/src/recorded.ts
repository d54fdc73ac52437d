import { asDigest, canonicalize, type Digest, digestOfCanonical, readJson } from "@countersign/core";
import { wholeOf } from "./decode.ts";
import type { Event } from "./event.ts";
import { readEvent } from "./read-event.ts";

/** An event in its place in the journal. */
export interface Recorded {
  /** From 1, without a gap. */
  readonly seq: number;
  /** Milliseconds since 1970 by the clock of the machine that wrote it; the order of events is that of `seq`. */
  readonly at: number;
  readonly id: string;
  readonly event: Event;
  /** Room for signatures over `event`; there is no format for one yet. The chain covers them. */
  readonly signatures: readonly [];
  /** The hash of the event before this one; the first has none. */
  readonly previous: Digest | undefined;
  readonly hash: Digest;
}

/** A row as a store gives it back: anybody who can write the file may have written it. */
export interface StoredEvent {
  readonly seq: string;
  readonly at: string;
  readonly id: string;
  readonly previous: string | undefined;
  /** Canonical JSON. */
  readonly event: string;
  readonly signatures: string;
  readonly hash: string;
}

export type StoredFault =
  | { readonly code: "UNREADABLE_EVENT"; readonly problems: readonly string[] }
  | { readonly code: "WRONG_HASH" };

export type StoredReading =
  | { readonly is: "recorded"; readonly recorded: Recorded }
  | { readonly is: "refused"; readonly because: StoredFault };

/** The row of an event that follows the one with the hash `previous`. */
export function storedEvent(event: Event, place: Pick<Recorded, "seq" | "at" | "id" | "previous">): StoredEvent {
  const row = {
    seq: String(place.seq),
    at: String(place.at),
    id: place.id,
    previous: place.previous,
    event: canonicalEvent(event),
    signatures: "[]",
  };
  return { ...row, hash: hashOf(row) };
}

/**
 * Text that JSON cannot carry (a lone surrogate in a reason) is left as it is, for `readStored` to refuse: the way in
 * and the way out have one judge.
 */
export function canonicalEvent(event: Event): string {
  const text = JSON.stringify(event);
  const reading = readJson(text);
  return reading.is === "json" ? canonicalize(reading.json) : text;
}

/** packages/ledger/README.md says what is hashed, byte by byte. */
function hashOf({ seq, at, id, previous, event, signatures }: Omit<StoredEvent, "hash">): Digest {
  const chained = previous === undefined ? "null" : JSON.stringify(previous);
  return digestOfCanonical("event", `[${seq},${at},${JSON.stringify(id)},${chained},${event},${signatures}]`);
}

/** Reads one row by itself; whether it follows the row before it is for the reader of both to say. */
export function readStored(row: StoredEvent): StoredReading {
  const problems: string[] = [];
  const note = <T>(value: T | undefined, problem: string): T | undefined => {
    if (value === undefined) problems.push(problem);
    return value;
  };
  const seq = note(wholeOf(row.seq), "seq: not a whole number");
  const at = note(wholeOf(row.at), "at: not a whole number");
  const id = note(/^[A-Za-z0-9-]{1,64}$/.test(row.id) ? row.id : undefined, "id: not an id");
  const previous = row.previous === undefined ? undefined : note(asDigest(row.previous), "previous: not a digest");
  const hash = note(asDigest(row.hash), "hash: not a digest");
  if (row.signatures !== "[]") problems.push("signatures: not an empty list");
  const event = readBody(row.event, problems);
  if (
    problems.length > 0 ||
    seq === undefined ||
    at === undefined ||
    id === undefined ||
    hash === undefined ||
    event === undefined
  ) {
    return { is: "refused", because: { code: "UNREADABLE_EVENT", problems } };
  }
  if (hash !== hashOf(row)) return { is: "refused", because: { code: "WRONG_HASH" } };
  return { is: "recorded", recorded: { seq, at, id, event, signatures: [], previous, hash } };
}

function readBody(text: string, problems: string[]): Event | undefined {
  const json = readJson(text);
  if (json.is === "refused") {
    problems.push(`event: ${json.refusal.code} at offset ${json.refusal.at}`);
    return undefined;
  }
  const reading = readEvent(json.json);
  if (reading.is === "event") return reading.event;
  problems.push(...reading.problems);
  return undefined;
}
