import {
  addressKey,
  type Drift,
  type DriftClass,
  driftClasses,
  driftOf,
  type Offer,
  type RawDefinition,
} from "@countersign/core";

/** What users' reviewers will see of the definitions offered now, who approved what was released. */
export interface ReleaseChanges {
  readonly changed: readonly { readonly definition: RawDefinition; readonly drift: readonly Drift[] }[];
  /** Nobody has approved them. */
  readonly added: readonly RawDefinition[];
  readonly removed: readonly RawDefinition[];
  /** The same values in other bytes: no drift. */
  readonly respelled: number;
  readonly same: number;
}

export function releaseChanges(released: readonly Offer[], now: readonly Offer[]): ReleaseChanges {
  const before = byAddress(released);
  const after = byAddress(now);
  const changed: { definition: RawDefinition; drift: readonly Drift[] }[] = [];
  const added: RawDefinition[] = [];
  let [respelled, same] = [0, 0];
  for (const [key, definition] of after) {
    const was = before.get(key);
    if (was === undefined) added.push(definition);
    else if (was.received !== definition.received) {
      changed.push({ definition, drift: driftOf(definition.address.kind, was.json, definition.json) });
    } else if (was.text !== definition.text) respelled++;
    else same++;
  }
  const removed = [...before].filter(([key]) => !after.has(key)).map(([, definition]) => definition);
  return { changed: changed.sort((a, b) => rankOf(a.drift) - rankOf(b.drift)), added, removed, respelled, same };
}

/** Whatever is first of a drift, which is ranked, is the most telling of it. */
function rankOf([first]: readonly Drift[]): number {
  return first === undefined ? driftClasses.length : driftClasses.indexOf(first.change);
}

/** How many of the changed definitions have a change of each class, in the order of the classes. */
export function classesOf(changes: ReleaseChanges): readonly (readonly [DriftClass, number])[] {
  return driftClasses.flatMap((one) => {
    const count = changes.changed.filter(({ drift }) => drift.some(({ change }) => change === one)).length;
    return count === 0 ? [] : [[one, count] as const];
  });
}

function byAddress(offers: readonly Offer[]): ReadonlyMap<string, RawDefinition> {
  return new Map(
    offers.flatMap(({ definitions }) => definitions.map((one) => [addressKey(one.address), one] as const)),
  );
}
