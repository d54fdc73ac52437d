import { asSent, type LetThrough } from "@countersign/core";
import { letThrough } from "@countersign/judge";
import type { Standing, Stood } from "./standing.ts";

export interface Passing {
  /** What nobody approved as it is, and passes. */
  readonly through: ReadonlySet<Stood>;
  /** How many definitions stay out all the same. */
  readonly out: number;
}

/** What becomes of what a server last offered while everything of it passes. Its standing itself says what is approved. */
export function passesThen({ definitions, malformed }: Standing, because: LetThrough): Passing {
  const plans = new Map(definitions.map(({ definition, plan }) => [definition, plan]));
  const rulings = letThrough(
    { definitions: definitions.map(({ definition }) => definition) },
    definitions.map(({ ruling }) => ruling),
    because,
    (definition) => plans.get(definition) ?? asSent,
  );
  const through = definitions.filter((stood, index) => rulings[index] !== stood.ruling);
  const out = rulings.filter(({ verdict }) => verdict !== "bind").length + malformed.length;
  return { through: new Set(through), out };
}
