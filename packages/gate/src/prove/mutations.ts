import { type Carrier, type Holder, pointerTo, same } from "./carriers.ts";
import { pick } from "./random.ts";
import { escaped, type Spot, unitsOf } from "./spot.ts";

/** A stretch of a text and what to put there. Every byte outside it stays. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly put: string;
  /** RFC 6901: the places that are no longer what they were, and the only ones. */
  readonly places: readonly string[];
  /** The smallest value that holds the whole edit. */
  readonly within: Spot;
}

/** One way to change one thing. */
export interface Mutation {
  readonly name: string;
  /** A frame so changed has two readings, so refusing all of it is right. */
  readonly refusesFrame?: true;
  /** Absent where the carrier has nothing to be changed so. The edit may prove void; `mutate` tells. */
  readonly edit: (text: string, carrier: Carrier, random: () => number) => Edit | undefined;
}

/** `text` with one thing changed, and where. */
export interface Mutant {
  readonly text: string;
  readonly places: readonly string[];
}

/**
 * Absent where the mutation does not apply or would change nothing. The oracle: what `JSON.parse` reads in the smallest
 * value around the edit, before and after. A duplicate key is the one change that it cannot see.
 */
export function mutate(text: string, carrier: Carrier, mutation: Mutation, random: () => number): Mutant | undefined {
  const edit = mutation.edit(text, carrier, random);
  if (edit === undefined) return undefined;
  const { start, end, put, places, within } = edit;
  const before: unknown = JSON.parse(text.slice(within.start, within.end));
  const after: unknown = JSON.parse(text.slice(within.start, start) + put + text.slice(end, within.end));
  if (mutation.refusesFrame === undefined && same(before, after)) return undefined;
  return { text: text.slice(0, start) + put + text.slice(end), places };
}

export const mutations: readonly Mutation[] = [
  {
    name: "change",
    edit: (text, carrier, random) => {
      if (carrier.part === "key") return undefined;
      const put = otherLiteral(text.slice(carrier.spot.start, carrier.spot.end), carrier.value, random);
      return put === undefined ? undefined : inPlace(carrier, put);
    },
  },
  {
    name: "retype",
    edit: (text, carrier) => {
      if (carrier.part === "key") return undefined;
      return inPlace(carrier, retyped(text.slice(carrier.spot.start, carrier.spot.end), carrier.value));
    },
  },
  {
    name: "delete",
    edit: (_text, carrier) => {
      const { holder } = carrier;
      if (holder === undefined || (holder.is === "object") !== (carrier.part === "key")) return undefined;
      const spans = holder.is === "object" ? [...holder.spot.members.values()].map(spanOf) : holder.spot.items;
      const index = holder.is === "object" ? [...holder.spot.members.keys()].indexOf(holder.key) : holder.index;
      const gone = spans[index];
      if (gone === undefined) return undefined;
      const next = spans[index + 1];
      const last = spans[index - 1];
      const start = next === undefined && last !== undefined ? last.end : gone.start;
      return { start, end: next?.start ?? gone.end, put: "", places: [placeOf(holder)], within: holder.spot };
    },
  },
  {
    name: "add-beside",
    edit: (_text, carrier, random) => {
      const { holder } = carrier;
      if (holder === undefined || (holder.is === "object") !== (carrier.part === "key")) return undefined;
      if (holder.is === "array") {
        const { start } = carrier.spot;
        return { start, end: start, put: '"added",', places: [holder.at], within: holder.spot };
      }
      const key = pick(["x-added", "note", "$comment", "examples", "__proto__", "toJSON"], random);
      if (holder.spot.members.has(key)) return undefined;
      const { start } = holder.member;
      return { start, end: start, put: `"${key}":"added",`, places: [pointerTo(holder.at, key)], within: holder.spot };
    },
  },
  {
    name: "swap",
    edit: (text, carrier, random) => {
      const { array } = carrier;
      if (array === undefined || carrier.part === "key") return undefined;
      const others = [...array.values.keys()].filter((index) => !same(array.values[index], array.values[array.index]));
      if (others.length === 0) return undefined;
      const other = pick(others, random);
      const first = array.spot.items[Math.min(other, array.index)];
      const second = array.spot.items[Math.max(other, array.index)];
      if (first === undefined || second === undefined) return undefined;
      const put =
        text.slice(second.start, second.end) + text.slice(first.end, second.start) + text.slice(first.start, first.end);
      return { start: first.start, end: second.end, put, places: [array.at], within: array.spot };
    },
  },
  {
    name: "normalise",
    edit: (text, carrier) => {
      const string = stringOf(text, carrier);
      if (string === undefined) return undefined;
      const value: string = JSON.parse(string.literal);
      const other = [value.normalize("NFC"), value.normalize("NFD")].find((form) => form !== value);
      return other === undefined ? undefined : respelt(carrier, JSON.stringify(other));
    },
  },
  {
    name: "invisible",
    edit: (text, carrier, random) => {
      const string = stringOf(text, carrier);
      if (string === undefined) return undefined;
      const units = unitsOf(string.literal);
      units.splice(Math.floor(random() * (units.length + 1)), 0, pick(invisible, random));
      const literal = `"${units.join("")}"`;
      // Between the halves of a pair it would leave two lone surrogates, which no reader lives with.
      return respelt(
        carrier,
        (JSON.parse(literal) as string).isWellFormed()
          ? literal
          : `"${pick(invisible, random)}${string.literal.slice(1)}`,
      );
    },
  },
  {
    name: "duplicate-key",
    refusesFrame: true,
    edit: (text, carrier, random) => {
      const { holder } = carrier;
      if (carrier.part !== "key" || holder?.is !== "object") return undefined;
      const literal = text.slice(holder.member.start, holder.member.end);
      const [first = "", ...rest] = unitsOf(literal);
      // Spelled alike, or with an escape: `"a"` and `"\u0061"` are one key.
      const key = !first.startsWith("\\") && random() < 0.5 ? `"${escaped(first)}${rest.join("")}"` : literal;
      const value = random() < 0.5 ? '"added"' : text.slice(carrier.spot.start, carrier.spot.end);
      const before = random() < 0.5;
      const start = before ? holder.member.start : holder.member.value.end;
      const put = before ? `${key}:${value},` : `,${key}:${value}`;
      return { start, end: start, put, places: [carrier.at], within: holder.spot };
    },
  },
  {
    name: "rename-key",
    edit: (text, carrier, random) => {
      if (carrier.part !== "key" || carrier.holder?.is !== "object") return undefined;
      const { start, end } = carrier.holder.member;
      return respelt(carrier, otherString(text.slice(start, end), random));
    },
  },
];

/** Nothing of these is seen: zero width space, word joiner, soft hyphen, variation selector, tag letter. */
const invisible = ["\u200b", "\u2060", "\u00ad", "\ufe0f", "\u{e0061}"] as const;

function inPlace({ spot, at, holder }: Carrier, put: string): Edit {
  return { start: spot.start, end: spot.end, put, places: [at], within: holder?.spot ?? spot };
}

/** The carrier's string with another literal: of a leaf its value, of a key its name. */
function respelt(carrier: Carrier, literal: string): Edit | undefined {
  if (carrier.part === "leaf") return inPlace(carrier, literal);
  const { holder } = carrier;
  if (holder?.is !== "object") return undefined;
  const name: string = JSON.parse(literal);
  if (holder.spot.members.has(name)) return undefined; // that would be a duplicate key, which is another mutation
  const { start, end } = holder.member;
  return { start, end, put: literal, places: [carrier.at, pointerTo(holder.at, name)], within: holder.spot };
}

function stringOf(text: string, carrier: Carrier): { literal: string } | undefined {
  if (carrier.part === "key") {
    if (carrier.holder?.is !== "object") return undefined;
    return { literal: text.slice(carrier.holder.member.start, carrier.holder.member.end) };
  }
  return typeof carrier.value === "string" ? { literal: text.slice(carrier.spot.start, carrier.spot.end) } : undefined;
}

function spanOf({ start, value }: { start: number; value: Spot }): { start: number; end: number } {
  return { start, end: value.end };
}

/** Of an item the whole array: those behind it move. */
function placeOf(holder: Holder): string {
  return holder.is === "object" ? pointerTo(holder.at, holder.key) : holder.at;
}

function otherLiteral(literal: string, value: unknown, random: () => number): string | undefined {
  switch (typeof value) {
    case "string":
      return otherString(literal, random);
    case "number":
      return /^-?[0-9]+$/.test(literal) ? String(BigInt(literal) + 1n) : jsonOf(value + 1);
    case "boolean":
      return String(!value);
    default:
      return value === null ? '"null"' : Array.isArray(value) ? '["added"]' : '{"x-added":"added"}';
  }
}

/** A double outside JSON's numbers has no literal. */
function jsonOf(value: number): string | undefined {
  return Number.isFinite(value) ? String(value) : undefined;
}

/** Another letter, the other case, or a space behind. */
function otherString(literal: string, random: () => number): string {
  const units = unitsOf(literal);
  const letters = [...units.keys()].filter((index) => /^[A-Za-z]$/.test(units[index] ?? ""));
  if (letters.length === 0 || random() < 0.1) return `"${units.join("")} "`;
  const at = pick(letters, random);
  const letter = units[at] ?? "";
  const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  units[at] =
    random() < 0.3
      ? flipped
      : pick(
          [..."abcdefghijklmnopqrstuvwxyz"].filter((one) => one !== letter),
          random,
        );
  return `"${units.join("")}"`;
}

function retyped(literal: string, value: unknown): string {
  if (typeof value === "string")
    return /^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|true|false|null)$/.test(value) ? value : `[${literal}]`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "{}" : "[]";
  return `"${literal}"`;
}
