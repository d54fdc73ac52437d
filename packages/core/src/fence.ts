import { createHash } from "node:crypto";
import type { Kind } from "./address.ts";
import { type Json, readJson } from "./json.ts";
import { memberPlace, type Place, rootPlace } from "./place.ts";
import { isAsSent, type Plan } from "./plan.ts";
import { below, type Pointer, root } from "./pointer.ts";
import { Edits } from "./rewrite.ts";

/**
 * A rendering in which the server's descriptions stand between marks, so that a model can tell them from what it should
 * follow. The marks hold a digest of the text between them, which no text can hold of itself, and the brackets that they
 * are made of are taken out of the text. The operator's own text is not marked.
 *
 * @param text a rendering, as it was approved
 */
export function fenced(kind: Kind, text: string, plan: Plan): string {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`Cannot fence a definition: ${reading.refusal.code}`);
  const own = new Set(isAsSent(plan) ? [] : plan.set?.map(({ at }) => at));
  const edits = new Edits();
  walk({ json: reading.json, at: root, place: rootPlace(kind), key: undefined, above: [] }, own, edits);
  return edits.applyTo(text, reading.json);
}

interface Spot {
  readonly json: Json;
  readonly at: Pointer;
  readonly place: Place;
  readonly key: string | undefined;
  readonly above: readonly Json[];
}

function walk({ json, at, place, key, above }: Spot, own: ReadonlySet<Pointer>, edits: Edits): void {
  const inside = [...above, json];
  switch (json.is) {
    case "string": {
      const isDescription = place.annotation === "prose" && (key === "description" || key === undefined);
      if (!isDescription || json.value === "" || own.has(at)) return;
      edits.edit(json, above, { is: "put", text: JSON.stringify(marked(json.value)) });
      return;
    }
    case "object":
      for (const { key, value } of json.members) {
        walk({ json: value, at: below(at, key), place: memberPlace(place, key), key, above: inside }, own, edits);
      }
      return;
    case "array":
      for (const [index, item] of json.items.entries()) {
        walk({ json: item, at: below(at, index), place: place.items, key, above: inside }, own, edits);
      }
      return;
    case "null":
    case "boolean":
    case "number":
  }
}

function marked(text: string): string {
  const mark = createHash("sha256").update(text, "utf8").digest("hex").slice(0, 16);
  return `⟦server text ${mark}⟧ ${text.replaceAll("⟦", "[").replaceAll("⟧", "]")} ⟦end ${mark}⟧`;
}
