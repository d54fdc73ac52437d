import type { Kind } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import { type Json, memberOf } from "./json.ts";
import { memberPlace, type Place, rootPlace } from "./place.ts";
import type { Prose } from "./plan.ts";
import type { Edits } from "./rewrite.ts";

/**
 * Takes out what a plan's prose mode masks. Position decides, not spelling: a property that is called `description` is a
 * name and stays.
 *
 * INVARIANT: `readJson` bounds the depth, so the recursion is bounded too.
 */
export function maskProse(kind: Kind, json: Json, prose: Exclude<Prose, "as-sent">, edits: Edits): void {
  const place = rootPlace(kind);
  // The whole of a definition cannot be left out; without its prose, instructions are an empty text.
  if (masks(prose, place, json, undefined)) edits.edit(json, [], { is: "put", text: '""' });
  else mask(json, place, prose, [], edits);
}

function mask(json: Json, place: Place, prose: Exclude<Prose, "as-sent">, above: readonly Json[], edits: Edits): void {
  const inside = [...above, json];
  switch (json.is) {
    case "object":
      for (const { key, value } of json.members) {
        const where = memberPlace(place, key);
        if (masks(prose, where, value, json)) edits.edit(value, inside, { is: "drop" });
        else if (isWalked(where)) mask(value, where, prose, inside, edits);
      }
      return;
    case "array":
      for (const item of json.items) {
        if (masks(prose, place.items, item, undefined)) edits.edit(item, inside, { is: "drop" });
        else if (isWalked(place.items)) mask(item, place.items, prose, inside, edits);
      }
      return;
    case "null":
    case "boolean":
    case "number":
    case "string":
  }
}

/** Any other annotation is masked whole or not at all. */
function isWalked({ annotation }: Place): boolean {
  return annotation === undefined || annotation === "strings";
}

/** @param holder the object that holds the value */
function masks(
  prose: Exclude<Prose, "as-sent">,
  { annotation, text }: Place,
  value: Json,
  holder: Json | undefined,
): boolean {
  switch (annotation) {
    case "labels":
      return true;
    case "prose":
      // Where a text should stand, anything else is no text for a reader: a change of it is no change of prose.
      return prose === "stripped" || value.is === "string";
    case "sample":
      return prose === "stripped" && saysSomething(value) && !isListed(value, holder);
    case "flag":
      return prose === "stripped" && value.is !== "boolean" && value.is !== "number" && value.is !== "null";
    case "strings":
      return prose === "stripped" && value.is === "string";
    case "other":
      return prose === "stripped";
    case undefined:
      // A text in place of what should hold others: no contract is made of it.
      return prose === "stripped" && value.is === "string" && (text === "prose" || text === "opaque");
  }
}

/** Whether a value holds any text: a string, or a key. */
function saysSomething(json: Json): boolean {
  switch (json.is) {
    case "string":
      return true;
    case "array":
      return json.items.some(saysSomething);
    case "object":
      return json.members.length > 0;
    case "null":
    case "boolean":
    case "number":
      return false;
  }
}

/** Whether the schema's own contract names this value, so that the model reads it there anyway. */
function isListed(value: Json, schema: Json | undefined): boolean {
  const text = canonicalize(value);
  const allowed = memberOf(schema, "enum");
  const only = memberOf(schema, "const");
  return (
    (allowed?.is === "array" && allowed.items.some((item) => canonicalize(item) === text)) ||
    (only !== undefined && canonicalize(only) === text)
  );
}
