import type { Kind } from "./address.ts";
import { type Digest, digestOf } from "./digest.ts";
import { type Json, type JsonObject, memberOf, readJson } from "./json.ts";
import { maskProse } from "./mask.ts";
import { memberPlace, type Place, rootPlace } from "./place.ts";
import { isAsSent, type Plan, type Setting } from "./plan.ts";
import { below, type Pointer, root } from "./pointer.ts";
import { Edits } from "./rewrite.ts";

/** The definition as the host is given it. What is served is one that somebody has approved, as it was stored then. */
export interface Rendering {
  readonly text: string;
  readonly digest: Digest;
}

/** What a definition is under a plan, or why the plan does not fit it. */
export type Rendered =
  | {
      readonly is: "rendered";
      /** Of the definition without what the plan masks. Equal ones are the same contract, whatever the masked parts say. */
      readonly contract: Digest;
      readonly rendering: Rendering;
    }
  /** The plan speaks of places that the definition does not have. */
  | { readonly is: "unfit"; readonly misfits: readonly Misfit[] };

/**
 * `NOTHING_THERE`: no such place, or the plan strips what is around it. `NOT_ANNOTATION`: a place that validation reads.
 * `OTHER_TYPE`: the value there is no scalar, or of another type than the operator's. `NOT_CLOSABLE`: a schema that is
 * combined of others would refuse what they declare.
 */
export interface Misfit {
  readonly code: "NOTHING_THERE" | "NOT_ANNOTATION" | "OTHER_TYPE" | "NOT_CLOSABLE";
  readonly at: Pointer;
}

/**
 * A definition after its plan, in the order strip, set, close; and what must not change for it to stand.
 *
 * @param text JSON that the reader took
 * @param received its digest
 */
export function render(kind: Kind, text: string, received: Digest, plan: Plan): Rendered {
  if (isAsSent(plan)) return { is: "rendered", contract: received, rendering: { text, digest: received } };
  const json = read(text);
  const { masked, served, misfits } = editsOf(kind, json, plan);
  if (misfits.length > 0) return { is: "unfit", misfits };
  const rendered = served.applyTo(text, json);
  return {
    is: "rendered",
    contract: digestOf(kind, read(masked.applyTo(text, json))),
    rendering: { text: rendered, digest: digestOf(kind, read(rendered)) },
  };
}

/** A definition without what the plan masks. A place that the plan sets and the definition lacks masks nothing. */
export function contractOf(kind: Kind, text: string, plan: Plan): Json {
  const json = read(text);
  return isAsSent(plan) ? json : read(editsOf(kind, json, plan).masked.applyTo(text, json));
}

function editsOf(kind: Kind, json: Json, { prose, set = [], close }: Plan) {
  const masked = new Edits();
  const served = new Edits();
  const misfits: Misfit[] = [];
  if (prose !== "as-sent") maskProse(kind, json, prose, masked);
  if (prose === "stripped") maskProse(kind, json, prose, served);
  for (const { at, to } of set) {
    const place = settable(kind, json, { at, to }, served);
    if (typeof place === "string") {
      misfits.push({ code: place, at });
      continue;
    }
    // A mark, not nothing: where the place is gone there is nothing to set, and that is another contract.
    masked.edit(place.json, place.above, { is: "put", text: "null" });
    served.edit(place.json, place.above, { is: "put", text: JSON.stringify(to) });
  }
  if (close === true) {
    const schema = memberOf(json, "inputSchema");
    if (schema?.is === "object" && !isCombined(schema)) closeSchema(schema, json, served);
    else misfits.push({ code: "NOT_CLOSABLE", at: below(root, "inputSchema") });
  }
  return { masked, served, misfits };
}

/** The value at an annotation that the operator may write, and all that is around it. */
function settable(
  kind: Kind,
  whole: Json,
  { at, to }: Setting,
  served: Edits,
): { readonly json: Json; readonly above: readonly Json[] } | Misfit["code"] {
  const above: Json[] = [];
  let json = whole;
  let place: Place = rootPlace(kind);
  for (const token of at.split("/").slice(1)) {
    if (served.drops(json)) return "NOTHING_THERE";
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const next: Json | undefined =
      json.is === "array" ? json.items[/^(?:0|[1-9][0-9]*)$/.test(key) ? Number(key) : -1] : memberOf(json, key);
    if (next === undefined) return "NOTHING_THERE";
    above.push(json);
    place = json.is === "array" ? place.items : memberPlace(place, key);
    json = next;
  }
  if (place.annotation === undefined) return "NOT_ANNOTATION";
  return json.is === typeof to ? { json, above } : "OTHER_TYPE";
}

const combining: ReadonlySet<string> = new Set(["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "not"]);

function isCombined({ members }: JsonObject): boolean {
  return members.some(({ key }) => combining.has(key));
}

function closeSchema(schema: JsonObject, json: Json, served: Edits): void {
  const says = memberOf(schema, "additionalProperties");
  if (says === undefined) served.gain(schema, [json], '"additionalProperties":false');
  else served.edit(says, [json, schema], { is: "put", text: "false" });
}

/** INVARIANT: it was read before, within the same bounds; masking only takes from it, and an operator's text is well formed. */
function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`Cannot render a definition: ${reading.refusal.code}`);
  return reading.json;
}
