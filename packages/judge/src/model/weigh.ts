import type { Subject, Text } from "../rule.ts";
import type { Reading } from "../text/reading.ts";
import { type Weighed, windowsAbove } from "./best-window.ts";
import { isStructural, ownFeatures, sentenceOf, type Told, type Visit } from "./features.ts";
import type { Model } from "./model.ts";
import { placeBonus, placedFeatures, type Stretch, stretchesIn, surroundingsOf } from "./stretches-in.ts";

/** What a model says of a part of a text. */
export interface Opinion {
  /** In the text as it was written. */
  readonly start: number;
  readonly end: number;
  /** Of the clauses that it goes over, the first; and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** Log odds over what is asked about. */
  readonly score: number;
}

/** Without the words: a list has ten thousand stretches. */
interface Summed extends Told, Pick<Stretch, "clause" | "joined" | "span"> {
  /** Of weights, in steps. */
  readonly sum: number;
}

/**
 * Weighs the texts of one definition after another, and tells of each the parts that score more than `least`. Texts that were
 * read once are weighed once.
 */
export function weigherOf(model: Model, least: number): (subject: Subject) => (text: Text) => readonly Opinion[] {
  const { weights, step } = model;
  const known = new WeakMap<Reading, readonly Summed[]>();
  const summed = (text: Text): readonly Summed[] => {
    let sums = known.get(text.reading);
    if (sums === undefined) {
      sums = stretchesIn(text).map(({ tokens, written, clause, joined, span }) => {
        let sum = 0;
        const told = ownFeatures(tokens, written, (bucket) => {
          sum += weights[bucket] ?? 0;
        });
        return { ...told, clause, joined, span, sum };
      });
      known.set(text.reading, sums);
    }
    return sums;
  };
  return (subject) => {
    let surroundings: ReturnType<typeof surroundingsOf> | undefined;
    return (text) => {
      const sums = summed(text);
      if (sums.length === 0) return [];
      surroundings ??= surroundingsOf(subject);
      const around = surroundings;
      const weighed = sums.map((one, at): Weighed => {
        let { sum } = one;
        placedFeatures(one, text, sums[at - 1]?.classes ?? 0, around, (bucket) => {
          sum += weights[bucket] ?? 0;
        });
        return { joined: one.joined, sum: sum * step };
      });
      const bonus = placeBonus(text);
      return windowsAbove(weighed, model.bias + bonus, least).map(({ from, to, score }) => {
        const [first, last] = [sums[from], sums[to - 1]];
        if (first === undefined || last === undefined)
          throw new RangeError("a window is in the text that it was found in");
        const clauses = { from: first.clause, to: last.clause + 1 };
        return { start: first.span.start, end: last.span.end, score, ...clauses };
      });
    };
  };
}

/** A feature, and how much it speaks for an order. */
export interface Carrying {
  /** Server-controlled, unless it is structural. */
  readonly what: string;
  /** Log odds. */
  readonly weight: number;
  readonly structural: boolean;
}

/** What speaks most for an order in a stretch of a text, most first, and how much: log odds. */
export function carriedBy(model: Model, subject: Subject, text: Text, { from, to }: Opinion): readonly Carrying[] {
  const surroundings = surroundingsOf(subject);
  const sums = new Map<string, Carrying>();
  const visit: Visit = (bucket, sort, first, second) => {
    const what = sentenceOf(sort, first, second);
    const weight = (sums.get(what)?.weight ?? 0) + (model.weights[bucket] ?? 0) * model.step;
    sums.set(what, { what, weight, structural: isStructural(bucket) });
  };
  let before = 0;
  // With the clause before it, which it may go on from.
  for (const stretch of stretchesIn(text, { from: Math.max(0, from - 1), to })) {
    const inside = stretch.clause >= from;
    const told = ownFeatures(stretch.tokens, stretch.written, (...feature) => {
      if (inside) visit(...feature);
    });
    if (inside) placedFeatures({ ...told, ...stretch }, text, before, surroundings, visit);
    before = told.classes;
  }
  return [...sums.values()].sort((a, b) => b.weight - a.weight || (a.what < b.what ? -1 : 1));
}
