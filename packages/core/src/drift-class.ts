import { canonicalize } from "./canonical.ts";
import type { Json } from "./json.ts";
import { memberPlace, type Place, type Role } from "./place.ts";
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

/** What kind of change it is. */
export type DriftClass = (typeof driftClasses)[number];

/** Where a value stands: its place, and the place of the object or array that holds it. */
export interface Standing {
  readonly place: Place;
  readonly within: Place | undefined;
}

export function roleOf(place: Place, json: Json): Role {
  return json.is === "string" ? place.text : place.scalar;
}

/** The class of a value that became another one. */
export function classOfChanged(standing: Standing, before: Json, after: Json): DriftClass {
  const own = changedHere(standing.place, before, after);
  if (before.is === "string" && after.is === "string") return own;
  return worst([own, prohibitionsIn(standing.place, before), textsIn(standing.place, after)]);
}

function changedHere(place: Place, before: Json, after: Json): DriftClass {
  switch (place.is) {
    case "hint":
      return claimsSafer(place, after) || after.is !== "boolean" ? "loosened-hint" : "tightened-hint";
    case "set":
      return setClass(place, before, after);
    case "bound":
      return boundClass(place, before, after);
    case "open":
      return opennessClass(opennessOf(before), opennessOf(after));
    case "schema":
    case "schemas":
      return "changed-contract";
    case "value": {
      const role = roleOf(place, after);
      if (role !== "prose") return valueClass(role);
      return losesProhibition(before, after) ? "removed-prohibition" : "changed-prose";
    }
  }
}

/** The class of a value that stands where there was none, with all that it holds. */
export function classOfAdded({ place, within }: Standing, value: Json): DriftClass {
  const own = addedHere(place, within, value);
  if (own !== undefined) return worst([own, textsIn(place, value)]);
  return worst(
    childrenOf(place, value).map((child) => classOfAdded({ place: child.place, within: place }, child.value)),
  );
}

function addedHere(place: Place, within: Place | undefined, value: Json): DriftClass | undefined {
  if (within?.is === "schemas") return "widened-contract"; // a new input is a new thing to fill with data
  switch (place.is) {
    case "hint":
      return claimsSafer(place, value) || value.is !== "boolean" ? "loosened-hint" : "tightened-hint";
    case "open":
      return opennessClass("open", opennessOf(value));
    case "set":
      return place.absent === "everything" ? "narrowed-contract" : "widened-contract";
    case "bound":
      return value.is === "number" ? "narrowed-contract" : "changed-contract";
    case "schema":
    case "schemas":
      return bringsInputs(place, value) ? "widened-contract" : "changed-contract";
    case "value": {
      if (holdsOthers(value)) return undefined;
      const role = roleOf(place, value);
      return role === "prose" ? "added-prose" : valueClass(role);
    }
  }
}

/** The class of a value that is gone, with all that it held. */
export function classOfRemoved({ place, within }: Standing, value: Json): DriftClass {
  const own = removedHere(place, within, value);
  if (own !== undefined) return worst([own, prohibitionsIn(place, value)]);
  return worst(
    childrenOf(place, value).map((child) => classOfRemoved({ place: child.place, within: place }, child.value)),
  );
}

function removedHere(place: Place, within: Place | undefined, value: Json): DriftClass | undefined {
  if (within?.is === "schemas") return "narrowed-contract";
  switch (place.is) {
    case "hint":
      // Whatever the default is by the specification, a host that tests a missing hint for truth reads `false`.
      return place.loose === false && !claimsSafer(place, value) ? "loosened-hint" : "tightened-hint";
    case "open":
      return opennessClass(opennessOf(value), "open");
    case "set":
      return place.absent === "everything" ? "widened-contract" : "narrowed-contract";
    case "bound":
      return "widened-contract";
    case "schema":
    case "schemas":
      return "changed-contract";
    case "value": {
      if (holdsOthers(value)) return undefined;
      const role = roleOf(place, value);
      if (role !== "prose") return valueClass(role);
      return losesProhibition(value, undefined) ? "removed-prohibition" : "removed-prose";
    }
  }
}

function valueClass(role: Exclude<Role, "prose">): DriftClass {
  switch (role) {
    case "identity":
      return "changed-identity";
    case "contract":
    case "hint":
      return "changed-contract";
    case "media":
      return "changed-media";
    case "opaque":
      return "changed-opaque";
  }
}

/** Hosts skip their own confirmation for a tool that says it is safe, so a hint that comes to say so is the worst drift. */
function claimsSafer({ loose }: Place, value: Json): boolean {
  return value.is === "boolean" && value.value === loose;
}

function setClass({ loose }: Place, before: Json, after: Json): DriftClass {
  const was = itemsOf(before).map(canonicalize);
  const is = itemsOf(after).map(canonicalize);
  const [old, now] = [new Set(was), new Set(is)];
  const gained = is.some((item) => !old.has(item));
  const lost = was.some((item) => !now.has(item));
  if (loose === "lower" ? lost : gained) return "widened-contract";
  if (gained || lost) return "narrowed-contract";
  // The same items in another number, or no list at all, is more than another order.
  const lists = before.is === "array" && after.is === "array";
  return lists && was.sort().join() === is.sort().join() ? "permuted" : "changed-contract";
}

function itemsOf(json: Json): readonly Json[] {
  return json.is === "array" ? json.items : [json];
}

function boundClass({ loose }: Place, before: Json, after: Json): DriftClass {
  if (before.is !== "number" || after.is !== "number") return "changed-contract";
  const was = Number(before.token);
  const is = Number(after.token);
  if (was === is) return "changed-contract"; // further digits, of which a double knows nothing
  return is > was === (loose === "higher") ? "widened-contract" : "narrowed-contract";
}

const opennesses = ["closed", "partly", "open"] as const;

/** JSON Schema: `true`, `{}` and absence admit anything, `false` nothing. */
function opennessOf(json: Json): (typeof opennesses)[number] {
  if (json.is === "boolean") return json.value ? "open" : "closed";
  return json.is === "object" && json.members.length === 0 ? "open" : "partly";
}

function opennessClass(before: (typeof opennesses)[number], after: (typeof opennesses)[number]): DriftClass {
  if (before === after) return "changed-contract";
  return opennesses.indexOf(after) > opennesses.indexOf(before) ? "widened-contract" : "narrowed-contract";
}

function losesProhibition(before: Json, after: Json | undefined): boolean {
  if (before.is !== "string") return false;
  const kept = new Set(after?.is === "string" ? clausesOf(after.value) : []);
  return clausesOf(before.value).some((clause) => isProhibition(clause) && !kept.has(clause));
}

function prohibitionsIn(place: Place, value: Json): DriftClass | undefined {
  return holds(place, value, (where, one) => where.text === "prose" && losesProhibition(one, undefined))
    ? "removed-prohibition"
    : undefined;
}

function textsIn(place: Place, value: Json): DriftClass | undefined {
  return holds(place, value, (where, one) => where.text === "prose" && one.is === "string") ? "added-prose" : undefined;
}

function bringsInputs(place: Place, value: Json): boolean {
  return holds(place, value, (where, one) => where.is === "schemas" && holdsOthers(one));
}

/** Whether the value at a place, or any that it holds, is one of those. */
function holds(place: Place, value: Json, those: (place: Place, value: Json) => boolean): boolean {
  return those(place, value) || childrenOf(place, value).some((child) => holds(child.place, child.value, those));
}

function holdsOthers(json: Json): boolean {
  return (json.is === "object" && json.members.length > 0) || (json.is === "array" && json.items.length > 0);
}

function childrenOf(place: Place, json: Json): readonly { readonly place: Place; readonly value: Json }[] {
  switch (json.is) {
    case "object":
      return json.members.map(({ key, value }) => ({ place: memberPlace(place, key), value }));
    case "array":
      return json.items.map((value) => ({ place: place.items, value }));
    case "null":
    case "boolean":
    case "number":
    case "string":
      return [];
  }
}

function worst(classes: readonly (DriftClass | undefined)[]): DriftClass {
  return classes
    .filter((one) => one !== undefined)
    .reduce((first, one) => (driftClasses.indexOf(one) < driftClasses.indexOf(first) ? one : first));
}
