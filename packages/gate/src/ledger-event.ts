import type { Snapshot } from "@countersign/core";

/** What the ledger says that somebody beside the host may want to know. */
export type LedgerEvent =
  | { readonly is: "bypass-began"; readonly bypass: NonNullable<Snapshot["bypass"]> }
  | { readonly is: "bypass-ended" }
  /** It could not be looked at. Said once for each error; what it said last counts until then for nothing but news. */
  | { readonly is: "ledger-trouble"; readonly error: string };
