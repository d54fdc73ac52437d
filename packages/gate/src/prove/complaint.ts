import type { Kind } from "@countersign/core";
import type { Complaint } from "./report.ts";
import type { Judged, Seen } from "./subject.ts";

/** What is bound in an offer, and what is served for it, by `keyOf`. */
export type Bound = ReadonlyMap<string, string>;

export function keyOf({ kind, name }: { readonly kind: Kind; readonly name: string }): string {
  return `${kind} ${name}`;
}

export function boundIn(seen: Seen): Bound {
  if (seen.is === "refused") return new Map();
  return new Map(seen.definitions.flatMap((one) => (one.bound ? [[keyOf(one), one.served] as const] : [])));
}

/** What was changed, and where. */
export interface Change {
  readonly key: string;
  /** RFC 6901. */
  readonly places: readonly string[];
  /** The key of it now; absent where nothing is left of it. */
  readonly now: () => string | undefined;
  /** Whether the whole offer may be refused for it. */
  readonly refusesFrame: boolean;
}

/** What is wrong with what the subject made of a change; nothing when it refused that and only that. */
export function complaintOfChange(seen: Seen, change: Change, before: Bound): Complaint | undefined {
  if (seen.is === "refused") {
    return change.refusesFrame ? undefined : { happened: "OFFER_REFUSED", detail: [seen.code] };
  }
  const own = seen.definitions.filter((one) => keyOf(one) === change.key);
  if (own.some(({ bound }) => bound)) return { happened: "BOUND", detail: [] };

  const around = new Map(before);
  around.delete(change.key);
  const others = complaintOfOthers(seen.definitions, around, change);
  if (others !== undefined) return others;

  const [only] = own;
  if (only === undefined) return change.now() === change.key ? { happened: "LOST", detail: [] } : undefined;
  if (only.bound || !before.has(change.key)) return undefined; // what was not there before has no place to differ at
  const { places } = only;
  const right = places.length > 0 && places.every((place) => change.places.some((changed) => touch(place, changed)));
  return right ? undefined : { happened: "ELSEWHERE", detail: places };
}

/** What is wrong with what the subject made of an offer in which nothing was changed. */
export function complaintOfSpelling(seen: Seen, key: string, before: Bound): Complaint | undefined {
  if (seen.is === "refused") return { happened: "OFFER_REFUSED", detail: [seen.code] };
  const own = seen.definitions.find((one) => keyOf(one) === key);
  if (own === undefined) return { happened: "LOST", detail: [] };
  if (!own.bound) return { happened: "REFUSED", detail: own.codes };
  return complaintOfOthers(seen.definitions, before, undefined);
}

/** What is wrong with what the subject made of a change that the model does not read. */
export function complaintOfUnread(seen: Seen, key: string, before: Bound): Complaint | undefined {
  const own = seen.is === "judged" ? seen.definitions.find((one) => keyOf(one) === key) : undefined;
  // No client could read it: that it has no proper shape is another matter than that it changed.
  if (own?.bound === false && own.codes.includes("MALFORMED")) return undefined;
  const complaint = complaintOfSpelling(seen, key, before);
  return complaint?.happened === "REFUSED" ? { ...complaint, happened: "REFUSED_UNREAD" } : complaint;
}

function complaintOfOthers(
  definitions: readonly Judged[],
  expected: Bound,
  change: Change | undefined,
): Complaint | undefined {
  const gone = new Set(expected.keys());
  for (const one of definitions) {
    if (!one.bound) continue;
    const approved = expected.get(keyOf(one));
    if (approved === undefined) return { happened: "STRANGER_BOUND", detail: [one.name] };
    if (approved !== one.served) return { happened: "SERVED_OTHERWISE", detail: [one.name] };
    gone.delete(keyOf(one));
  }
  // A definition that took another's name takes it down as well: which of two a host would call, nobody knows.
  const taken = gone.size > 0 ? change?.now() : undefined;
  if (taken !== undefined) gone.delete(taken);
  return gone.size > 0 ? { happened: "OTHERS_REFUSED", detail: [...gone] } : undefined;
}

/** Whether one place is the other, or within it. */
function touch(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
