import type { Effect, Pointer, Span } from "@countersign/core";
import { emptySnapshot } from "@countersign/core";
import { defaultPolicy, ruleOnOne } from "@countersign/judge";
import type { Capture } from "./capture.ts";
import { keyOf } from "./complaint.ts";
import { readCapture } from "./read-capture.ts";

/** What is put to the proof of the second arm: it is shown an offer that nobody approved, and then copies of its definitions. */
export type Searcher = (offer: Capture) => (copy: Copy) => Searched;

/** A definition with something planted in it, which belongs in its offer in the place of what it was. */
export interface Copy {
  /** Pages that hold it, and of the others of a list at most one. */
  readonly pages: readonly string[];
  /** What `keyOf` calls it, and what it called it before. */
  readonly key: string;
  readonly was: string;
}

/** What was found in an offer, or why nothing was looked for. */
export type Searched =
  /** Nothing of the offer, or of the definition, is judged at all. */
  | { readonly is: "refused"; readonly code: string }
  /** The definition has no proper shape, at these places. */
  | { readonly is: "malformed"; readonly places: readonly Pointer[] }
  | { readonly is: "judged"; readonly sightings: readonly Sighting[] };

/** What a rule says of the text of one carrier. */
export interface Sighting {
  readonly rule: string;
  readonly at: string;
  readonly part: "key" | "leaf";
  readonly span?: Span;
  readonly effect: Effect;
}

/** The description gate of `countersign run`, under the default policy. */
export const searchByGates: Searcher = (offer) => {
  const around = readCapture(offer);
  if ("code" in around) return () => ({ is: "refused", code: around.code });
  return ({ pages, key, was }) => {
    const reading = readCapture({ ...offer, pages });
    if ("code" in reading) return { is: "refused", code: reading.code };
    const malformed = reading.offer.malformed.find(({ kind, name = "" }) => keyOf({ kind, name }) === key);
    if (malformed !== undefined) return { is: "malformed", places: malformed.faults.map(({ at }) => at) };
    const definition = reading.offer.definitions.find(({ address }) => keyOf(address) === key);
    const index = around.offer.definitions.findIndex(({ address }) => keyOf(address) === was);
    if (definition === undefined || index === -1) return { is: "refused", code: "LOST" };
    const definitions = around.offer.definitions.with(index, definition);
    const { reasons } = ruleOnOne({ ...around.offer, definitions }, index, emptySnapshot, defaultPolicy);
    const failed = reasons.find(({ gate, code }) => gate === "description" && code === "GATE_FAILED");
    if (failed !== undefined) return { is: "refused", code: failed.code };
    return {
      is: "judged",
      sightings: reasons.flatMap((reason) =>
        reason.code === "FINDING" && reason.gate === "description" ? [reason.finding] : [],
      ),
    };
  };
};
