import type { Row } from "./bags.ts";
import { bestOf, type Learned, learn } from "./learn.ts";

/** Into how many parts a corpus is split. */
export const parts = 5;

/** Models that each were learned without a part of the corpus. */
export interface LeftOut {
  /** The one that has learned nothing of this group. */
  readonly without: (group: string) => Learned;
  /** Log odds of each row, by the model that has not learned from it. */
  readonly scores: ReadonlyMap<string, number>;
}

/**
 * Splits the groups of the corpus into parts, and learns a model without each of them. Rows of one group are in one part;
 * what was written to learn from is in none, so all models learn from it.
 */
export function leaveOut(rows: readonly Row[], parts: number): LeftOut {
  const partOf = new Map<string, number>();
  const loads = { attacks: new Array<number>(parts).fill(0), benign: new Array<number>(parts).fill(0) };
  const groups = [
    ...Map.groupBy(
      rows.filter(({ of }) => of !== undefined),
      ({ group }) => group,
    ),
  ];
  groups.sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
  for (const [group, those] of groups) {
    const attacks = those.filter(({ label }) => label === "attack").length;
    const load = attacks > 0 ? loads.attacks : loads.benign;
    const part = load.indexOf(Math.min(...load));
    partOf.set(group, part);
    loads.attacks[part] = (loads.attacks[part] ?? 0) + attacks;
    loads.benign[part] = (loads.benign[part] ?? 0) + those.length - attacks;
  }
  const models = Array.from({ length: parts }, (_, part) =>
    learn(rows.filter(({ of, group }) => of === undefined || partOf.get(group) !== part)),
  );
  const without = (group: string) => {
    const model = models[partOf.get(group) ?? 0];
    if (model === undefined) throw new RangeError("a group is in no part");
    return model;
  };
  const scores = new Map<string, number>();
  for (const { id, of, group, examples } of rows) {
    if (of !== undefined) scores.set(id, bestOf({ examples }, without(group))?.score ?? Number.NEGATIVE_INFINITY);
  }
  return { without, scores };
}
