import type { Kind } from "@countersign/core";
import type { Capture } from "./capture.ts";

/** What is put to the proof: it is told that everything in one offer is approved, and then shown others in its place. */
export type Subject = (approved: Capture) => (seen: Capture) => Seen;

export type Seen =
  /** Nothing of the offer reaches the host. */
  | { readonly is: "refused"; readonly code: string }
  | { readonly is: "judged"; readonly definitions: readonly Judged[] };

/** What became of one definition. `name` is empty where it has none. */
export type Judged = { readonly kind: Kind; readonly name: string } & (
  | { readonly bound: true; readonly served: string }
  /** `places`: where the subject says that it is not what was approved, RFC 6901. */
  | { readonly bound: false; readonly codes: readonly string[]; readonly places: readonly string[] }
);
