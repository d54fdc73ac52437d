import type { MemberSpot, Spot } from "./spot.ts";

type ObjectSpot = Extract<Spot, { is: "object" }>;
type ArraySpot = Extract<Spot, { is: "array" }>;

/** What holds a value: the object and its member, or the array and the index. */
export type Holder =
  | {
      readonly is: "object";
      /** RFC 6901, of the object. */
      readonly at: string;
      readonly spot: ObjectSpot;
      readonly key: string;
      readonly member: MemberSpot;
    }
  | {
      readonly is: "array";
      readonly at: string;
      readonly spot: ArraySpot;
      readonly index: number;
      readonly values: readonly unknown[];
    };

/** One key, or one value that holds no others. */
export interface Carrier {
  readonly part: "key" | "leaf";
  /** RFC 6901. */
  readonly at: string;
  /** Of a leaf its value, of a key what it names. */
  readonly value: unknown;
  readonly spot: Spot;
  /** Absent at the root, which only a leaf can be. */
  readonly holder: Holder | undefined;
  /** The nearest array around it. */
  readonly array: Extract<Holder, { is: "array" }> | undefined;
}

/**
 * Everything in `value` that a model could read, by a walk over what `JSON.parse` returned.
 *
 * @param spot where `value` stands; it may hold more than `value` does
 */
export function carriersOf(value: unknown, spot: Spot): readonly Carrier[] {
  const carriers: Carrier[] = [];
  walk({ at: "", value, spot, holder: undefined, array: undefined }, carriers);
  return carriers;
}

function walk(here: Omit<Carrier, "part">, carriers: Carrier[]): void {
  const { at, value, spot, array } = here;
  if (Array.isArray(value) && value.length > 0) {
    if (spot.is !== "array") throw new TypeError("the proof has lost its place in an array");
    const values: readonly unknown[] = value;
    for (const [index, item] of values.entries()) {
      const place = spot.items[index];
      if (place === undefined) throw new TypeError("the proof has lost its place in an array");
      const holder = { is: "array", at, spot, index, values } as const;
      walk({ at: `${at}/${index}`, value: item, spot: place, holder, array: holder }, carriers);
    }
  } else if (isObject(value) && Object.keys(value).length > 0) {
    if (spot.is !== "object") throw new TypeError("the proof has lost its place in an object");
    for (const [key, item] of Object.entries(value)) {
      const member = spot.members.get(key);
      if (member === undefined) throw new TypeError("the proof has lost its place in an object");
      const holder = { is: "object", at, spot, key, member } as const;
      const below = { at: pointerTo(at, key), value: item, spot: member.value, holder, array };
      carriers.push({ part: "key", ...below });
      walk(below, carriers);
    }
  } else {
    carriers.push({ part: "leaf", ...here });
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 6901 §3. */
export function pointerTo(parent: string, key: string): string {
  return `${parent}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Deep equality of two values of `JSON.parse`, whatever order their keys have. */
export function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  if (isObject(a)) {
    if (!isObject(b)) return false;
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
  }
  return a === b;
}
