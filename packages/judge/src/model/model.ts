import { type Digest, digestOfCanonical } from "@countersign/core";
import { buckets } from "./features.ts";

/** A linear model over `buckets` features. Log odds are so scaled that 0 is where it begins to ask. */
export interface Model {
  readonly bias: number;
  /** By bucket. */
  readonly weights: Float32Array;
}

/** As it is kept: every weight is a whole number from -127 to 127, and `step` says how much one is. */
export interface StoredModel {
  readonly bias: number;
  readonly step: number;
  /** Base64 of a byte for each bucket, in two's complement. */
  readonly weights: string;
}

/** @throws RangeError where there is not a weight for each bucket */
export function readModel(stored: StoredModel): Model {
  const bytes = atob(stored.weights);
  if (bytes.length !== buckets) throw new RangeError(`a model has ${bytes.length} weights, not ${buckets}`);
  const weights = new Float32Array(buckets);
  for (let at = 0; at < buckets; at++) weights[at] = ((bytes.charCodeAt(at) << 24) >> 24) * stored.step;
  return { bias: stored.bias, weights };
}

/** Of all that makes a model say what it says. */
export function modelDigest({ bias, step, weights }: StoredModel): Digest {
  return digestOfCanonical("model", JSON.stringify([bias, step, weights]));
}
