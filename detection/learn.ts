import { seededRandom } from "../packages/gate/src/prove/random.ts";
import { bestWindow, type Window } from "../packages/judge/src/model/best-window.ts";
import { buckets } from "../packages/judge/src/model/features.ts";
import type { Example, ExampleStretch } from "./examples.ts";

/** What is learned from: texts of which one at least holds an order, or of which none does. */
export interface Bag {
  readonly label: "attack" | "benign";
  readonly weight: number;
  readonly examples: readonly Example[];
  /** In an attack: whether a stretch may be the order. Without it any may. */
  readonly isOrder?: (example: Example, stretch: ExampleStretch) => boolean;
}

export interface Learned {
  readonly bias: number;
  /** By bucket. */
  readonly weights: Float64Array;
}

export interface Found extends Window {
  readonly example: Example;
}

export const settings = {
  rounds: 6,
  rate: 0.05,
  /** How much an attack counts beside a benign text. There are few. */
  attackWeight: 2,
  /** Added to every count of a feature, so that one that only attacks have is not certain. */
  smoothing: 0.5,
  /** A feature that fewer stretches have is left out. */
  fewest: 3,
  /** Of the log of the ratio of counts. */
  furthest: 4,
  /** How much of its ratio a feature has at first, and what it is drawn back to. */
  start: 0.05,
  pull: 0.0005,
  seed: "countersign",
} as const;

/**
 * A linear model. Each feature is scaled by how much more often attacks have it than benign texts do (NBSVM: Wang and
 * Manning, Baselines and Bigrams, 2012), then weighed by logistic regression with AdaGrad. Of each text only the window
 * that speaks most for an order counts, under the weights of the moment (multiple-instance learning: Andrews et al.,
 * 2002): an attack is mostly honest prose. What is learned is the mean over the later half of the rounds. Equal bags in equal order learn the same.
 */
export function learn(bags: readonly Bag[]): Learned {
  const ratios = ratiosOf(bags);
  const shares = new Float64Array(buckets).fill(settings.start);
  const squares = new Float64Array(buckets + 1).fill(0.1);
  const weights = ratios.map((ratio) => ratio * settings.start);
  const learned = { bias: -2, weights };
  const step = ({ example, from, to, score }: Found, label: 0 | 1, weight: number) => {
    const error = (1 / (1 + Math.exp(-score)) - label) * weight;
    if (Math.abs(error) < 1e-4) return;
    for (let at = from; at < to; at++) {
      for (const bucket of example.stretches[at]?.buckets ?? none) {
        const ratio = ratios[bucket] ?? 0;
        if (ratio === 0) continue;
        const share = shares[bucket] ?? 0;
        const gradient = error * ratio + settings.pull * (share - settings.start);
        const square = (squares[bucket] ?? 0) + gradient * gradient;
        squares[bucket] = square;
        const moved = share - (settings.rate * gradient) / Math.sqrt(square);
        shares[bucket] = moved;
        weights[bucket] = moved * ratio;
      }
    }
    const square = (squares[buckets] ?? 0) + error * error;
    squares[buckets] = square;
    learned.bias -= (4 * settings.rate * error) / Math.sqrt(square);
  };
  const sum = { bias: 0, weights: new Float64Array(buckets), rounds: 0 };
  const random = seededRandom(settings.seed);
  const order = bags.map((_, index) => index);
  for (let round = 0; round < settings.rounds; round++) {
    shuffle(order, random);
    const seen = new Set<string>();
    for (const index of order) {
      const bag = bags[index];
      if (bag?.label === "attack") {
        const found = bestOf(bag, learned);
        if (found !== undefined) step(found, 1, bag.weight * settings.attackWeight);
        continue;
      }
      for (const example of bag?.examples ?? []) {
        // Many servers hold the same sentence; it is one.
        if (seen.has(example.text)) continue;
        seen.add(example.text);
        const found = bestIn(example, learned);
        if (found !== undefined) step(found, 0, bag?.weight ?? 1);
      }
    }
    if (round < settings.rounds / 2) continue;
    sum.rounds++;
    sum.bias += learned.bias;
    for (const [bucket, weight] of weights.entries()) sum.weights[bucket] = (sum.weights[bucket] ?? 0) + weight;
  }
  return { bias: sum.bias / sum.rounds, weights: sum.weights.map((weight) => weight / sum.rounds) };
}

/** The best window of all texts; undefined where none may order anything. */
export function bestOf({ examples, isOrder }: Pick<Bag, "examples" | "isOrder">, learned: Learned): Found | undefined {
  let best: Found | undefined;
  for (const example of examples) {
    const found = bestIn(example, learned, isOrder);
    if (found !== undefined && (best === undefined || found.score > best.score)) best = found;
  }
  return best;
}

function bestIn(example: Example, { bias, weights }: Learned, isOrder: Bag["isOrder"] = () => true): Found | undefined {
  const weighed = example.stretches.map((stretch) => ({
    joined: stretch.joined,
    sum: isOrder(example, stretch) ? sumOf(stretch.buckets, weights) : Number.NEGATIVE_INFINITY,
  }));
  const window = bestWindow(weighed, bias + example.bonus);
  return window === undefined || window.score === Number.NEGATIVE_INFINITY ? undefined : { example, ...window };
}

const none = new Uint32Array();

function sumOf(those: Uint32Array, weights: Float64Array): number {
  let sum = 0;
  for (const bucket of those) sum += weights[bucket] ?? 0;
  return sum;
}

/** For each bucket, the log of how much more often a stretch of an attack has it; 0 where too few stretches do. */
function ratiosOf(bags: readonly Bag[]): Float64Array {
  const [attacks, benign] = [new Float64Array(buckets), new Float64Array(buckets)];
  const counts = { attacks: 0, benign: 0 };
  const seen = new Set<string>();
  for (const { label, weight, examples, isOrder } of bags) {
    for (const example of examples) {
      if (label === "benign" && seen.has(example.text)) continue;
      seen.add(example.text);
      for (const stretch of example.stretches) {
        if (isOrder?.(example, stretch) === false) continue;
        const into = label === "attack" ? attacks : benign;
        counts[label === "attack" ? "attacks" : "benign"] += weight;
        for (const bucket of stretch.buckets) into[bucket] = (into[bucket] ?? 0) + weight;
      }
    }
  }
  const { smoothing, fewest, furthest } = settings;
  return attacks.map((attack, bucket) => {
    const other = benign[bucket] ?? 0;
    if (attack + other < fewest) return 0;
    const ratio =
      Math.log((attack + smoothing) / (counts.attacks + 2 * smoothing)) -
      Math.log((other + smoothing) / (counts.benign + 2 * smoothing));
    return Math.max(-furthest, Math.min(furthest, ratio));
  });
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
}
