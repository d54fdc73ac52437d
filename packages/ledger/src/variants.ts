import { addressKey, type Binding, withdrawnKey } from "@countersign/core";
import type { Withdrawn } from "./event.ts";
import type { PrincipalId } from "./principal.ts";

/** What was approved for some principals only, beside what is bound in common (docs/decisions/0025). */
export interface Variants {
  /** By principal, and then by `addressKey`. None is empty. */
  readonly of: ReadonlyMap<PrincipalId, ReadonlyMap<string, Binding>>;
  /** By `withdrawnKey`: what an approval for all has superseded. A variant of that digest is nobody else's. */
  readonly superseded: ReadonlySet<string>;
}

export const noVariants: Variants = { of: new Map(), superseded: new Set() };

/** What one approval binds, by `addressKey`. */
type Bound = ReadonlyMap<string, Binding>;

/** A variant supersedes the former one of the same principal, and nothing that is bound in common or for another. */
export function withVariants(variants: Variants, bound: Bound, principals: readonly PrincipalId[]): Variants {
  const of = new Map(variants.of);
  for (const principal of principals) of.set(principal, new Map([...(of.get(principal) ?? []), ...bound]));
  return { ...variants, of };
}

/**
 * An approval for all supersedes what was bound in common, and the variants of those who are offered what it approves: for
 * them it is the new text.
 */
export function afterCommon(
  variants: Variants,
  before: ReadonlyMap<string, Binding>,
  bound: Bound,
  isOffered: (principal: PrincipalId, definition: Binding) => boolean,
): Variants {
  const superseded = new Set(variants.superseded);
  const of = new Map(variants.of);
  const supersede = (key: string, former: Binding | undefined, now: Binding) => {
    if (former !== undefined && former.received !== now.received) superseded.add(withdrawnKey(former.received, key));
  };
  for (const [key, now] of bound) {
    supersede(key, before.get(key), now);
    for (const [principal, own] of of) {
      const former = own.get(key);
      if (former === undefined || !isOffered(principal, now)) continue;
      supersede(key, former, now);
      keep(of, principal, without(own, key));
    }
    superseded.delete(withdrawnKey(now.received, key));
  }
  return { of, superseded };
}

/** A decision against a digest holds for all. */
export function withoutWithdrawn(variants: Variants, { definitions }: Pick<Withdrawn, "definitions">): Variants {
  if (variants.of.size === 0) return variants;
  const of = new Map(variants.of);
  for (const definition of definitions) {
    const key = addressKey(definition);
    for (const [principal, own] of of) {
      if (own.get(key)?.received === definition.received) keep(of, principal, without(own, key));
    }
  }
  return { ...variants, of };
}

function without(own: ReadonlyMap<string, Binding>, key: string): ReadonlyMap<string, Binding> {
  const rest = new Map(own);
  rest.delete(key);
  return rest;
}

function keep(
  of: Map<PrincipalId, ReadonlyMap<string, Binding>>,
  principal: PrincipalId,
  own: ReadonlyMap<string, Binding>,
): void {
  if (own.size === 0) of.delete(principal);
  else of.set(principal, own);
}
