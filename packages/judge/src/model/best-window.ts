/** What a window is made of: how much each stretch speaks for an order, and whether it goes on from the one before it. */
export interface Weighed {
  /** Log odds, without the bias. */
  readonly sum: number;
  readonly joined: boolean;
}

/** Stretches side by side. */
export interface Window {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  /** Log odds, with the bias. */
  readonly score: number;
}

/** Stretches that one order goes over. */
const longest = 4;

/** The stretches side by side that speak most for an order; undefined where there are none. */
export function bestWindow(stretches: readonly Weighed[], bias: number): Window | undefined {
  let best: Window | undefined;
  for (const window of windows(stretches, bias)) if (best === undefined || window.score > best.score) best = window;
  return best;
}

/**
 * All that speaks for an order with more than `least`, in order and without overlaps: where two overlap, the one that speaks
 * more. An order that is added behind a worse one is found all the same.
 */
export function windowsAbove(stretches: readonly Weighed[], bias: number, least: number): readonly Window[] {
  const above: Window[] = [];
  for (const window of windows(stretches, bias)) if (window.score > least) above.push(window);
  above.sort((a, b) => b.score - a.score || a.from - b.from);
  const taken = new Set<number>();
  const kept: Window[] = [];
  for (const window of above) {
    const those = Array.from({ length: window.to - window.from }, (_, at) => window.from + at);
    if (those.some((at) => taken.has(at))) continue;
    for (const at of those) taken.add(at);
    kept.push(window);
  }
  return kept.sort((a, b) => a.from - b.from);
}

function* windows(stretches: readonly Weighed[], bias: number): Iterable<Window> {
  for (let from = 0; from < stretches.length; from++) {
    let score = bias;
    for (let to = from; to < stretches.length && to < from + longest; to++) {
      const stretch = stretches[to];
      if (stretch === undefined || (to > from && !stretch.joined)) break;
      score += stretch.sum;
      yield { from, to: to + 1, score };
    }
  }
}
