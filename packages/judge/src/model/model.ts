import { type Digest, digestOfCanonical } from "@countersign/core";
import { buckets } from "./features.ts";

/** A linear model over `buckets` features. Log odds are so scaled that 0 is where it begins to ask. */
export interface Model {
  readonly bias: number;
  /** What a weight of one is. */
  readonly step: number;
  /** By bucket. */
  readonly weights: Int8Array | Float64Array;
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
  // The first list waits for it, and a loop over all of them takes milliseconds.
  const bytes = Buffer.from(stored.weights, "base64");
  if (bytes.length !== buckets) throw new RangeError(`a model has ${bytes.length} weights, not ${buckets}`);
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  return { bias: stored.bias, step: stored.step, weights };
}

/** Of all that makes a model say what it says. */
export function modelDigest({ bias, step, weights }: StoredModel): Digest {
  return digestOfCanonical("model", JSON.stringify([bias, step, weights]));
}
