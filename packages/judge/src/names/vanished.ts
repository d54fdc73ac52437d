import {
  type Address,
  addressKey,
  type Digest,
  digestOf,
  type Json,
  type Offer,
  readJson,
  type Snapshot,
  withdrawnAddressKey,
} from "@countersign/core";
import { shortest, skeletonOf } from "./skeleton-of.ts";
import { withinEdits } from "./within-edits.ts";

/** A name that somebody decided about, and how the decision stood. */
interface Gone {
  readonly name: string;
  readonly was: "approved" | "withdrawn";
}

/** `crowd`: there are too many to compare, and any may be it. */
export type Former = ({ readonly by: "definition" | "spelling" | "edit" } & Gone) | { readonly by: "crowd" };

/** Tools and prompts of a server that were decided about, and that it does not offer any more. */
export interface Vanished {
  /** The one that a new definition seems to be under another name. */
  readonly twinOf: (address: Address, json: Json) => Former | undefined;
}

const edits = 2;
/** Code units of a skeleton that are compared. */
const longest = 128;
/** Pairs of names that one offer may have compared letter by letter. */
const mostPairs = 50_000;

/** What stands in neither part of a complete offer, a malformed definition being there all the same. */
export function vanishedFrom(
  { definitions, malformed }: Pick<Offer, "definitions" | "malformed">,
  { bindings, withdrawn, texts }: Snapshot,
): Vanished {
  const offered = definitions.map(({ address }) => addressKey(address));
  const fresh = offered.filter((key) => !bindings.has(key)).length;
  const present = new Set(offered);
  for (const { kind, name } of malformed) if (name !== undefined) present.add(addressKey({ kind, name }));

  const bySkeleton = new Map<string, Gone>();
  const byRest = new Map<Digest, Gone>();
  const skeletons: (readonly [kind: string, skeleton: string, gone: Gone])[] = [];
  const add = (kind: "tool" | "prompt", gone: Gone) => {
    const skeleton = skeletonOf(gone.name);
    bySkeleton.set(`${kind} ${skeleton}`, gone);
    if (skeleton.length >= shortest) skeletons.push([kind, skeleton.slice(0, longest), gone]);
  };
  const turnedDown = new Set([...withdrawn.keys()].map(withdrawnAddressKey));
  for (const key of turnedDown) {
    const kind = key.startsWith("tool ") ? "tool" : key.startsWith("prompt ") ? "prompt" : undefined;
    if (kind === undefined || present.has(key) || bindings.has(key)) continue;
    add(kind, { name: key.slice(kind.length + 1), was: "withdrawn" });
  }
  for (const [key, { address, received }] of bindings) {
    const { kind, name } = address;
    if ((kind !== "tool" && kind !== "prompt") || present.has(key)) continue;
    const gone: Gone = { name, was: "approved" };
    add(kind, gone);
    byRest.set(restOf(kind, approvedJson(received, texts)), gone);
  }
  const crowded = skeletons.length * fresh > mostPairs;

  return {
    twinOf({ kind, name }, json) {
      if ((kind !== "tool" && kind !== "prompt") || bySkeleton.size === 0) return undefined;
      const skeleton = skeletonOf(name);
      const spelled = bySkeleton.get(`${kind} ${skeleton}`);
      if (spelled !== undefined) return { ...spelled, by: "spelling" };
      const same = byRest.get(restOf(kind, json));
      if (same !== undefined) return { ...same, by: "definition" };
      if (skeleton.length < shortest) return undefined;
      // A server chooses how many names it drops and brings, so comparing them all must not cost what it likes.
      if (crowded) return { by: "crowd" };
      const short = skeleton.slice(0, longest);
      const near = skeletons.find(([one, other]) => one === kind && withinEdits(short, other, edits));
      return near === undefined ? undefined : { ...near[2], by: "edit" };
    },
  };
}

/** The digest of a definition but for its name. */
function restOf(kind: "tool" | "prompt", json: Json): Digest {
  if (json.is !== "object") return digestOf(kind, json);
  return digestOf(kind, { ...json, members: json.members.filter(({ key }) => key !== "name") });
}

function approvedJson(received: Digest, texts: Snapshot["texts"]): Json {
  const text = texts.get(received);
  if (text === undefined) throw new Error(`the approved text of ${received} is missing`);
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`the approved text of ${received} is not JSON`);
  return reading.json;
}
