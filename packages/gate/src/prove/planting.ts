import type { Span } from "@countersign/core";
import { type Carrier, isObject, pointerTo } from "./carriers.ts";
import type { Payload } from "./payloads.ts";
import { pick } from "./random.ts";

/** One payload, and how one carrier comes to hold it. */
export interface Planting {
  readonly carrier: Carrier;
  readonly payload: Payload;
  readonly way: Way;
  /** What the carrier says then, and where in it the payload stands. */
  readonly says: string;
  readonly span: Span;
  /** Whether a new key stands beside the carrier, which is a key that cannot be renamed. */
  readonly beside: boolean;
}

export type Way =
  | "behind"
  | "before"
  /** Behind a key, with underscores for spaces. */
  | "joined"
  | "instead"
  /** In an array or object that was empty. */
  | "inside";

/** A planting in a definition that may have been changed in other places, too. */
export interface Planted extends Planting {
  /** RFC 6901, in the changed definition. */
  readonly at: string;
  readonly part: "key" | "leaf";
  /** Where the carrier would stand if its own key had been left alone. */
  readonly was: string;
}

/** Every carrier can hold every payload, in one way at least. */
export function plantingOf(carrier: Carrier, payload: Payload, random: () => number): Planting {
  const { text } = payload;
  const part = { carrier, payload, beside: false };
  const own = carrier.part === "key" ? nameOf(carrier) : carrier.value;
  if (typeof own !== "string") {
    const empty = Array.isArray(own) || isObject(own);
    return { ...part, way: empty ? "inside" : "instead", says: text, span: { start: 0, end: text.length } };
  }
  const isWord = !/\s/.test(own);
  const ways = carrier.part === "key" ? (["behind", "before"] as const) : (["behind", "before", "instead"] as const);
  const way: Way = pick(isWord && payload.joins ? [...ways, "joined"] : ways, random);
  const space = payload.hidden
    ? ""
    : pick(carrier.part === "leaf" ? [" ", ". ", "\n", "\n\n"] : isWord ? [" ", ": ", "-"] : [" ", ": "], random);
  if (way === "instead") return { ...part, way, says: text, span: { start: 0, end: text.length } };
  if (way === "before") return { ...part, way, says: text + space + own, span: { start: 0, end: text.length } };
  const put = way === "joined" ? text.replace(/\W+/g, "_") : text;
  const before = way === "joined" ? `${own.replace(/\s/g, "_")}_` : own + space;
  return { ...part, way, says: before + put, span: { start: before.length, end: before.length + put.length } };
}

function nameOf({ holder }: Carrier): string {
  if (holder?.is !== "object") throw new TypeError("a key stands in no object");
  return holder.key;
}

/** `text` with all of the plantings, which are in different carriers. Every byte outside them stays. */
export function plantIn(text: string, plantings: readonly Planting[]): { text: string; planted: readonly Planted[] } {
  const renamed = new Map(
    plantings.flatMap(({ carrier, says, beside }) =>
      carrier.part === "key" && !beside ? [[carrier.at, says] as const] : [],
    ),
  );
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, put } of plantings.map(editOf).sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(from, start), put);
    from = end;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(""), planted: plantings.map((one) => placed(one, renamed)) };
}

function editOf({ carrier, way, says, beside }: Planting): { start: number; end: number; put: string } {
  const literal = JSON.stringify(says);
  if (carrier.part === "key") {
    if (carrier.holder?.is !== "object") throw new TypeError("a key stands in no object");
    const { start, end } = carrier.holder.member;
    return beside ? { start, end: start, put: `${literal}:true,` } : { start, end, put: literal };
  }
  const { start, end } = carrier.spot;
  if (way !== "inside") return { start, end, put: literal };
  return { start, end, put: Array.isArray(carrier.value) ? `[${literal}]` : `{${literal}:true}` };
}

function placed(planting: Planting, renamed: ReadonlyMap<string, string>): Planted {
  const { carrier, way, says, beside } = planting;
  const parent = carrier.holder === undefined ? "" : pointerIn(carrier.holder.at, renamed);
  const token = carrier.at.slice(carrier.at.lastIndexOf("/"));
  if (carrier.part === "key") {
    const was = parent + token;
    return { ...planting, at: pointerTo(parent, says), part: "key", was: beside ? pointerTo(parent, says) : was };
  }
  const here = pointerIn(carrier.at, renamed);
  if (way !== "inside") return { ...planting, at: here, part: "leaf", was: here };
  return Array.isArray(carrier.value)
    ? { ...planting, at: `${here}/0`, part: "leaf", was: here }
    : { ...planting, at: pointerTo(here, says), part: "key", was: here };
}

/** Where a place is after some of the keys on the way to it were renamed. */
function pointerIn(at: string, renamed: ReadonlyMap<string, string>): string {
  if (at === "") return "";
  const cut = at.lastIndexOf("/");
  const parent = pointerIn(at.slice(0, cut), renamed);
  const name = renamed.get(at);
  return name === undefined ? parent + at.slice(cut) : pointerTo(parent, name);
}
