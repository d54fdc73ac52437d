import {
  addressKey,
  type Binding,
  type Digest,
  type RawDefinition,
  type Snapshot,
  withdrawnKey,
} from "@countersign/core";
import type { LedgerSnapshot, PrincipalId } from "@countersign/ledger";

/**
 * What the gates are to know where these definitions are offered to one principal, or on a connection for everybody: at each
 * address the one binding that counts there (docs/decisions/0025).
 */
export function snapshotFor(
  definitions: readonly Pick<RawDefinition, "address" | "received">[],
  { variants, ...common }: LedgerSnapshot,
  principal: PrincipalId | undefined,
): Snapshot {
  if (variants === undefined) return common;
  const own = principal === undefined ? undefined : variants.of.get(principal);
  const bindings = new Map([...common.bindings, ...(own ?? [])]);
  for (const { address, received } of definitions) {
    const key = addressKey(address);
    const shared = sharedBinding(key, received, { ...common, variants }, own?.get(key));
    if (shared !== undefined) bindings.set(key, shared);
  }
  return { ...common, bindings };
}

/** Everything that is bound for anybody. */
export function* allBindings({ bindings, variants }: LedgerSnapshot): Iterable<Binding> {
  yield* bindings.values();
  for (const own of variants?.of.values() ?? []) yield* own.values();
}

/**
 * What somebody approved of this very text for others, where nothing that was decided for this principal stands against it: not
 * a variant of its own that is newer, nor, for what was approved for some only, that an approval for all has superseded it.
 */
function sharedBinding(
  key: string,
  received: Digest,
  { bindings, variants, now }: LedgerSnapshot,
  own: Binding | undefined,
): Binding | undefined {
  if (own?.received === received) return undefined;
  const isShared = (one: Binding | undefined): one is Binding =>
    one?.received === received && one.seq > (own?.seq ?? 0) && (one.expires === undefined || one.expires > now);
  const common = bindings.get(key);
  if (isShared(common)) return common;
  if (variants === undefined || variants.superseded.has(withdrawnKey(received, key))) return undefined;
  const others = [...variants.of.values()].map((of) => of.get(key)).filter(isShared);
  return others.reduce<Binding | undefined>(
    (newest, one) => (newest === undefined || one.seq > newest.seq ? one : newest),
    undefined,
  );
}
