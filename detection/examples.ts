import type { Span } from "@countersign/core";
import { contextOf, subjectOf } from "../packages/judge/src/inspect.ts";
import { ownFeatures, type Visit } from "../packages/judge/src/model/features.ts";
import {
  placeBonus,
  placedFeatures,
  type Surroundings,
  stretchesIn,
  surroundingsOf,
} from "../packages/judge/src/model/stretches-in.ts";
import type { Text } from "../packages/judge/src/rule.ts";
import type { Tool } from "./corpus.ts";
import { offerOf, snapshotOf } from "./judge-tools.ts";

/** One text of a tool, as the model sees it. */
export interface Example {
  /** Server-controlled. */
  readonly text: string;
  /** Log odds for the place where it stands: see `placeBonus`. */
  readonly bonus: number;
  readonly stretches: readonly ExampleStretch[];
}

export interface ExampleStretch {
  readonly span: Span;
  readonly joined: boolean;
  readonly buckets: Uint32Array;
}

/** The texts of each tool of one offer that may order something. */
export function examplesOf(tools: readonly Tool[], judged = tools.length): readonly (readonly Example[])[] {
  const offer = offerOf(tools);
  const context = contextOf(offer, snapshotOf([]));
  return offer.definitions.slice(0, judged).map(({ json }, index) => {
    const surface = context.offer[index];
    if (surface === undefined) throw new RangeError("a definition has no surface");
    const subject = subjectOf(surface, json, context);
    const surroundings = surroundingsOf(subject);
    return subject.phrases.flatMap((text) => exampleOf(text, surroundings) ?? []);
  });
}

function exampleOf(text: Text, surroundings: Surroundings): Example | undefined {
  let before = 0;
  const stretches = stretchesIn(text).map((stretch): ExampleStretch => {
    const buckets: number[] = [];
    const visit: Visit = (bucket) => void buckets.push(bucket);
    const told = ownFeatures(stretch.tokens, stretch.written, visit);
    placedFeatures({ ...told, ...stretch }, text, before, surroundings, visit);
    before = told.classes;
    return { span: stretch.span, joined: stretch.joined, buckets: Uint32Array.from(buckets) };
  });
  return stretches.length === 0 ? undefined : { text: text.text, bonus: placeBonus(text), stretches };
}
