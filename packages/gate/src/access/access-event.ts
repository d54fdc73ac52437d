import type { ServerName } from "@countersign/core";
import type { Refusal } from "./refusal.ts";

/** What an operator may want to know of who called, and of the listening itself. Nothing of it was written by a caller. */
export type AccessEvent =
  /** Said at the 1st, 10th, 100th ... such one of this address and server; `count` is which of them it is. */
  | {
      readonly is: "refused";
      readonly code: Refusal["code"] | "FOREIGN_HOST" | "FOREIGN_ORIGIN";
      readonly address: string;
      readonly server?: ServerName;
      readonly count: number;
    }
  /** A stream ended because its credential counts no longer. */
  | { readonly is: "cut-off"; readonly because: "revoked" | "expired"; readonly streams: number }
  | { readonly is: "trouble"; readonly error: string }
  | { readonly is: "certificate-loaded"; readonly until: string }
  /** The one before stays in use. */
  | { readonly is: "certificate-refused"; readonly error: string }
  | { readonly is: "draining"; readonly open: number }
  /** What was still open when the time was over. */
  | { readonly is: "drained"; readonly cut: number };
