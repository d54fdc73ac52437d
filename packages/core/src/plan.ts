import type { Pointer } from "./pointer.ts";

/**
 * What the operator does to a definition on its way to the model: docs/format.md §6. It is settled when the definition is
 * approved, and stored with the approval.
 */
export interface Plan {
  readonly prose: Prose;
  /** The operator's own text in place of the server's, by place. Sorted; no place twice. */
  readonly set?: readonly Setting[];
  /** Whether arguments that the schema does not declare are forbidden in the schema itself. */
  readonly close?: true;
}

/**
 * `as-sent`: the model reads what the server wrote. `frozen`: it reads what the server wrote when it was approved,
 * whatever it writes later. `stripped`: it reads none of the server's prose.
 */
export const proses = ["as-sent", "frozen", "stripped"] as const;

/** Whose prose the model reads. */
export type Prose = (typeof proses)[number];

/** A text of the operator's own, at a place that only annotates. */
export interface Setting {
  readonly at: Pointer;
  readonly to: Scalar;
}

/** Of the operator, so a double holds every number in it. */
export type Scalar = string | number | boolean;

/** The plan of whoever has none: the model reads what the server wrote. */
export const asSent: Plan = { prose: "as-sent" };

/**
 * A plan, in the one spelling that equal plans have.
 *
 * @param set no place twice
 */
export function planOf(prose: Prose, set: readonly Setting[], close: boolean): Plan {
  return {
    prose,
    ...(set.length === 0 ? {} : { set: [...set].sort((a, b) => (a.at < b.at ? -1 : 1)) }),
    ...(close ? { close } : {}),
  };
}

/** Whether two plans do the same to every definition. */
export function isSamePlan(one: Plan, other: Plan): boolean {
  if (one === other) return true;
  const key = ({ prose, set = [], close }: Plan) =>
    JSON.stringify([prose, set.map(({ at, to }) => [at, to]), close === true]);
  return key(one) === key(other);
}

/** Whether the definition is served as it was received. */
export function isAsSent({ prose, set, close }: Plan): boolean {
  return prose === "as-sent" && set === undefined && close === undefined;
}
