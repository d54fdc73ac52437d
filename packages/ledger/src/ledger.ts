import type { Digest, ServerName } from "@countersign/core";
import type { Event } from "./event.ts";
import type { Expectation, Movement } from "./expectation.ts";
import type { State } from "./fold.ts";
import type { PrincipalId } from "./principal.ts";
import type { Recorded } from "./recorded.ts";
import type { LedgerSnapshot } from "./snapshot.ts";
import type { Text } from "./text.ts";
import type { VerifyReport } from "./verify.ts";

/**
 * The journal of all decisions and sightings, and what they amount to. Several processes may hold the same ledger; each
 * call sees everything that any of them had recorded before it. Every method rejects with a `LedgerError`.
 */
export interface Ledger {
  /** Of the last event; 0 for an empty journal. */
  seq(): Promise<number>;
  /** What all events amount to. */
  state(): Promise<State>;
  /** Cheap while `seq` stands still: it is asked for on every list and every call. `principal`: whose quota it is about. */
  snapshot(server: ServerName, principal?: PrincipalId): Promise<LedgerSnapshot>;
  /** One text that has this digest, if the ledger holds one. */
  text(digest: Digest): Promise<string | undefined>;
  /** When it resolves to `recorded`, the event survives the end of this process and of the machine. */
  record(event: Event, options?: RecordOptions): Promise<RecordResult>;
  /** The journal in order, from the sequence number `from` on. */
  entries(from?: number): AsyncIterable<Recorded>;
  /** Reads everything there is, and rejects only where the store itself cannot be read. */
  verify(): Promise<VerifyReport>;
  /** Afterwards every other method rejects. */
  close(): Promise<void>;
}

export interface RecordOptions {
  /** Of the definitions that the event mentions; those that the ledger holds already may be left out. */
  readonly texts?: readonly Text[];
  /** All must hold. */
  readonly expecting?: readonly Expectation[];
}

export type RecordResult =
  | { readonly is: "recorded"; readonly seq: number }
  /** A sighting of what was there the last time, for this principal or in common. Nothing was written. */
  | { readonly is: "unchanged" }
  /** An expectation failed. Nothing was written. */
  | { readonly is: "moved"; readonly because: readonly Movement[] };
