import type { Corpus } from "./corpus.ts";

/** The share of real tools that the model may ask about, left out of what it learned from. The rules ask about others. */
const share = 0.007;

/** Log odds above which so many of the real tools of a corpus are that the model has not learned from. */
export function thresholdOf({ benign }: Corpus, scores: ReadonlyMap<string, number>): number {
  const real = benign
    .filter(({ hard, synthetic }) => !hard && !synthetic)
    .map(({ id }) => scores.get(id) ?? Number.NEGATIVE_INFINITY);
  real.sort((a, b) => b - a);
  return real[Math.floor(real.length * share)] ?? 0;
}
