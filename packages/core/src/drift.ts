import type { Kind } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import type { Json } from "./json.ts";
import { memberPlace, type Place, type Role, rootPlace } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";
import { clausesOf, isProhibition } from "./prohibition.ts";

/**
 * What a change does, the one most worth a person's attention first. Drift is always caught, whatever its class; the
 * class only decides what is shown first.
 */
export const driftClasses = [
  "loosened-hint",
  "removed-prohibition",
  "widened-contract",
  "added-prose",
  "changed-prose",
  "changed-contract",
  "changed-identity",
  "changed-media",
  "changed-opaque",
  "narrowed-contract",
  "tightened-hint",
  "removed-prose",
  "permuted",
] as const;

export type DriftClass = (typeof driftClasses)[number];

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

interface Spot {
  readonly at: Pointer;
  readonly place: Place;
  /** The place of the object or array that this value stands in. */
  readonly within: Place | undefined;
}

function compare(spot: Spot, before: Json, after: Json, drift: Drift[]): void {
  if (before.is === "object" && after.is === "object" && before.members.length > 0 && after.members.length > 0) {
    const are = new Map(after.members.map(({ key, value }) => [key, value]));
    const were = new Set(before.members.map(({ key }) => key));
    for (const { key, value } of before.members) {
      const now = are.get(key);
      if (now === undefined) drift.push(removed(member(spot, key), value));
      else compare(member(spot, key), value, now, drift);
    }
    for (const { key, value } of after.members) {
      if (!were.has(key)) drift.push(added(member(spot, key), value));
    }
    return;
  }
  const was = canonicalize(before);
  const is = canonicalize(after);
  if (was === is) return;
  if (before.is === "array" && after.is === "array" && before.items.length > 0 && after.items.length > 0) {
    if (spot.place.is !== "set") {
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
  }
  drift.push({ at: spot.at, role: roleOf(spot.place, after), change: changed(spot, before, after), before: was, after: is });
}

function member({ at, place }: Spot, key: string): Spot {
  return { at: below(at, key), place: memberPlace(place, key), within: place };
}

function element({ at, place }: Spot, index: number): Spot {
  return { at: below(at, index), place: place.items, within: place };
}

function added(spot: Spot, value: Json): Drift {
  const role = roleOf(spot.place, value);
  return { at: spot.at, role, change: classOfAdded(spot, role, value), after: canonicalize(value) };
}

function removed(spot: Spot, value: Json): Drift {
  const role = roleOf(spot.place, value);
  return { at: spot.at, role, change: classOfRemoved(spot, role, value), before: canonicalize(value) };
}

function roleOf(place: Place, json: Json): Role {
  return json.is === "string" ? place.text : place.scalar;
}

function changed({ place }: Spot, before: Json, after: Json): DriftClass {
  switch (place.is) {
    case "hint":
      return hintClass(place, after);
    case "set":
      return setClass(place, before, after);
    case "bound":
      return before.is === "number" && after.is === "number"
        ? Number(after.token) > Number(before.token) === (place.loose === "higher")
          ? "widened-contract"
          : "narrowed-contract"
        : "changed-contract";
    case "open":
      return isOpen(after) && !isOpen(before) ? "widened-contract" : "narrowed-contract";
    case "schema":
    case "schemas":
      return "changed-contract";
    case "value":
      return valueClass(roleOf(place, after), before, after);
  }
}

function valueClass(role: Role, before: Json, after: Json): DriftClass {
  switch (role) {
    case "prose":
      return lostProhibition(before, after) ? "removed-prohibition" : "changed-prose";
    case "identity":
      return "changed-identity";
    case "contract":
      return "changed-contract";
    case "hint":
      return "changed-contract";
    case "media":
      return "changed-media";
    case "opaque":
      return "changed-opaque";
  }
}

function classOfAdded({ place, within }: Spot, role: Role, value: Json): DriftClass {
  if (within?.is === "schemas") return "widened-contract"; // a new input is a new thing to fill with data
  switch (place.is) {
    case "hint":
      return hintClass(place, value);
    case "open":
      return isOpen(value) ? "changed-contract" : "narrowed-contract"; // absent was open already
    case "set":
    case "bound":
      return "narrowed-contract";
    case "schema":
    case "schemas":
      return "changed-contract";
    case "value":
      return role === "prose" ? "added-prose" : valueClass(role, value, value);
  }
}

function classOfRemoved({ place, within }: Spot, role: Role, value: Json): DriftClass {
  if (within?.is === "schemas") return "narrowed-contract";
  switch (place.is) {
    case "hint":
      return hintClass(place, undefined);
    case "open":
      return isOpen(value) ? "changed-contract" : "widened-contract";
    case "set":
    case "bound":
      return "widened-contract";
    case "schema":
    case "schemas":
      return "changed-contract";
    case "value":
      if (role !== "prose") return valueClass(role, value, value);
      return lostProhibition(value, undefined) ? "removed-prohibition" : "removed-prose";
  }
}

/** Hosts skip their own confirmation for a tool that says it is safe, so a hint that comes to say so is the worst drift. */
function hintClass(place: Place, after: Json | undefined): DriftClass {
  const now = after === undefined ? place.absent : after.is === "boolean" ? after.value : undefined;
  return now === place.loose || now === undefined ? "loosened-hint" : "tightened-hint";
}

function setClass({ loose }: Place, before: Json, after: Json): DriftClass {
  const was = new Set(before.is === "array" ? before.items.map(canonicalize) : [canonicalize(before)]);
  const is = new Set(after.is === "array" ? after.items.map(canonicalize) : [canonicalize(after)]);
  const gained = [...is].some((item) => !was.has(item));
  const lost = [...was].some((item) => !is.has(item));
  if (!gained && !lost) return "permuted";
  return (loose === "lower" ? lost : gained) ? "widened-contract" : "narrowed-contract";
}

/** JSON Schema: `true`, `{}` and absence admit any key. */
function isOpen(json: Json): boolean {
  return (json.is === "boolean" && json.value) || (json.is === "object" && json.members.length === 0);
}

function lostProhibition(before: Json, after: Json | undefined): boolean {
  if (before.is !== "string") return false;
  const kept = new Set(after?.is === "string" ? clausesOf(after.value) : []);
  return clausesOf(before.value).some((clause) => isProhibition(clause) && !kept.has(clause));
}
