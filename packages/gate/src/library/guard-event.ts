import type { WireEvent } from "@countersign/wire";
import type { LedgerEvent } from "../ledger-event.ts";

/** What happened on a guarded connection, or in its ledger, as data. Names in it are the server's: show them through an escape. */
export type GuardEvent =
  | WireEvent
  | LedgerEvent
  /** A config in the repository asks for what only a trusted one may: docs/projects.md. */
  | { readonly is: "settings-ignored"; readonly path: string; readonly settings: readonly string[] };
