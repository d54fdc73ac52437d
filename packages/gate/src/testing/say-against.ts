import { asSent, type Offer } from "@countersign/core";
import type { Judgement } from "@countersign/judge";
import { definitionRow, malformedRow } from "../print/definition-row.ts";
import { sayDefinition } from "../print/say-definition.ts";
import type { View } from "../print/view.ts";

/** The definitions that something speaks against, and what, as a person reads it. */
export function sayAgainst(offer: Offer, { rulings, against }: Judgement): readonly string[] {
  const objected = new Set(against.map(({ address }) => address));
  return [
    ...offer.definitions.flatMap((definition, index) => {
      const ruling = rulings[index];
      if (ruling === undefined || !objected.has(ruling.address)) return [];
      const reasons = ruling.reasons.filter(({ code }) => code !== "NO_BASELINE");
      return [
        sayDefinition(definitionRow({ definition, ruling: { ...ruling, reasons }, plan: asSent }, view), view, ""),
      ];
    }),
    ...offer.malformed.map((malformed) => sayDefinition(malformedRow(malformed, view), view, "")),
  ];
}

/** The author's own text, in the output of a test. Whatever cannot be seen in it is named all the same. */
const view: View = { text: true, colour: false, width: 100, height: 1_000, contents: false };
