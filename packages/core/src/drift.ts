import type { Kind } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import {
  classOfAdded,
  classOfChanged,
  classOfRemoved,
  type DriftClass,
  driftClasses,
  roleOf,
  type Standing,
} from "./drift-class.ts";
import type { Json, Member } from "./json.ts";
import { memberPlace, type Role, rootPlace } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";

/**
 * One place where a definition is no longer the approved one. `before` and `after` are canonical JSON of the whole value
 * at `at`; one of them is absent when the value was added or removed.
 */
export interface Drift {
  readonly at: Pointer;
  readonly role: Role;
  readonly change: DriftClass;
  readonly before?: string;
  readonly after?: string;
  /** Set where the plan masks the place, so that the model does not read the change. */
  readonly masked?: true;
}

/**
 * Where `after` differs from `before`, ranked. Empty exactly when the canonical forms are equal.
 *
 * INVARIANT: `readJson` bounds the depth, so the recursion is bounded too.
 */
export function driftOf(kind: Kind, before: Json, after: Json): readonly Drift[] {
  const drift: Drift[] = [];
  compare({ at: root, place: rootPlace(kind), within: undefined }, before, after, drift);
  const rank = (one: Drift) => driftClasses.indexOf(one.change);
  return drift.sort((a, b) => rank(a) - rank(b));
}

interface Spot extends Standing {
  readonly at: Pointer;
}

function compare(spot: Spot, before: Json, after: Json, drift: Drift[]): void {
  const { at, place } = spot;
  if (before.is === "object" && after.is === "object") {
    const found = finder(after.members);
    const were = finder(before.members);
    for (const [index, { key, value }] of before.members.entries()) {
      const now = found(key, index);
      if (now === undefined) drift.push(removed(member(spot, key), value));
      else compare(member(spot, key), value, now, drift);
    }
    for (const [index, { key, value }] of after.members.entries()) {
      if (were(key, index) === undefined) drift.push(added(member(spot, key), value));
    }
    return;
  }
  if (before.is === "array" && after.is === "array" && place.is !== "set") {
    for (const [index, item] of before.items.entries()) {
      const now = after.items[index];
      if (now === undefined) drift.push(removed(element(spot, index), item));
      else compare(element(spot, index), item, now, drift);
    }
    for (const [index, item] of after.items.entries()) {
      if (index >= before.items.length) drift.push(added(element(spot, index), item));
    }
    return;
  }
  if (before.is === "string" && after.is === "string" && before.value === after.value) return;
  const was = canonicalize(before);
  const is = canonicalize(after);
  if (was === is) return;
  drift.push({ at, role: roleOf(place, after), change: classOfChanged(spot, before, after), before: was, after: is });
}

/** The value under a key, looked for first where it stood in the other object; linear however many there are. */
function finder(members: readonly Member[]): (key: string, index: number) => Json | undefined {
  let all: Map<string, Json> | undefined;
  return (key, index) => {
    const same = members[index];
    if (same?.key === key) return same.value;
    all ??= new Map(members.map((one) => [one.key, one.value]));
    return all.get(key);
  };
}

function member({ at, place }: Spot, key: string): Spot {
  return { at: below(at, key), place: memberPlace(place, key), within: place };
}

function element({ at, place }: Spot, index: number): Spot {
  return { at: below(at, index), place: place.items, within: place };
}

function added(spot: Spot, value: Json): Drift {
  const change = classOfAdded(spot, value);
  return { at: spot.at, role: roleOf(spot.place, value), change, after: canonicalize(value) };
}

function removed(spot: Spot, value: Json): Drift {
  const change = classOfRemoved(spot, value);
  return { at: spot.at, role: roleOf(spot.place, value), change, before: canonicalize(value) };
}
