import { addressKey } from "@countersign/core";
import type { PrincipalId } from "@countersign/ledger";
import { allBindings } from "./snapshot-for.ts";
import type { Standing, Stood } from "./standing.ts";

/**
 * For whom an approval of what some principals are offered is, by itself: for them, where another text of the same address is
 * bound or offered; else for all, and that is undefined.
 */
export function approvalScope(
  standing: Standing,
  { definition, principals }: Stood,
): readonly PrincipalId[] | undefined {
  if (principals === undefined) return undefined;
  const key = addressKey(definition.address);
  const isBound = [...allBindings(standing.snapshot)].some(({ address }) => addressKey(address) === key);
  const isAlone = standing.definitions.every(
    ({ definition: other }) => addressKey(other.address) !== key || other.received === definition.received,
  );
  return !isBound && isAlone ? undefined : principals;
}
