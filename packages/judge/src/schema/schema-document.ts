import { below, type Json, type JsonObject, type Pointer } from "@countersign/core";
import { type Subschema, subschemas } from "./subschemas.ts";

export interface Reference {
  readonly keyword: "$ref" | "$dynamicRef";
  /** Of the reference itself. */
  readonly at: Pointer;
  /** The value as written, if it is a string. Server-controlled. */
  readonly written: string | undefined;
  /** What it stands for, or why that cannot be known. */
  readonly target: Subschema | "remote" | "missing";
  readonly from: Subschema;
}

/** A schema document with its references looked up, none of them expanded. */
export interface SchemaDocument {
  readonly json: Json;
  readonly at: Pointer;
  /** Those that the keywords hold, and those that only a reference reaches. */
  readonly schemas: readonly Subschema[];
  readonly references: readonly Reference[];
}

export function readSchema(json: Json, at: Pointer): SchemaDocument {
  const schemas = [...subschemas(json, at)];
  const known = new Map<Json, Subschema>(schemas.map((schema) => [schema.json, schema]));
  const references: Reference[] = [];
  const members = new Map<JsonObject, ReadonlyMap<string, Json>>();
  const anchors = anchorsOf(schemas);

  const resolve = (written: string | undefined, { base, depth }: Subschema): Reference["target"] => {
    if (written?.startsWith("#") !== true) return "remote";
    const fragment = unescaped(written.slice(1));
    if (fragment === undefined) return "missing";
    if (fragment !== "" && !fragment.startsWith("/")) return anchors.get(fragment) ?? "missing";
    const found = follow(base, fragment, members);
    if (found === undefined) return "missing";
    const schema = known.get(found.json);
    if (schema !== undefined) return schema;
    // Inside a keyword that no dialect knows: a schema all the same, because this reference makes it one.
    const reached = subschemas(found.json, found.at);
    for (const inner of reached) {
      if (known.has(inner.json)) continue;
      const placed = { ...inner, depth: inner.depth + depth };
      known.set(inner.json, placed);
      schemas.push(placed);
    }
    return known.get(found.json) ?? "missing";
  };

  // The list grows while it is walked.
  for (let index = 0; index < schemas.length; index++) {
    const from = schemas[index];
    if (from?.json.is !== "object") continue;
    for (const { key, value } of from.json.members) {
      if (key !== "$ref" && key !== "$dynamicRef") continue;
      const written = value.is === "string" ? value.value : undefined;
      references.push({ keyword: key, at: below(from.at, key), written, target: resolve(written, from), from });
    }
  }
  return { json, at, schemas, references };
}

/** RFC 6901, with an index of each object passed: a document may hold as many references as members. */
function follow(
  base: { readonly json: Json; readonly at: Pointer },
  fragment: string,
  indexes: Map<JsonObject, ReadonlyMap<string, Json>>,
): { json: Json; at: Pointer } | undefined {
  let { json, at } = base;
  for (const escaped of fragment.split("/").slice(1)) {
    const token = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    let next: Json | undefined;
    if (json.is === "object") {
      let index = indexes.get(json);
      if (index === undefined) {
        index = new Map(json.members.map(({ key, value }) => [key, value]));
        indexes.set(json, index);
      }
      next = index.get(token);
      at = below(at, token);
    } else if (json.is === "array" && /^(?:0|[1-9][0-9]{0,8})$/.test(token)) {
      next = json.items[Number(token)];
      at = below(at, Number(token));
    }
    if (next === undefined) return undefined;
    json = next;
  }
  return { json, at };
}

function anchorsOf(schemas: readonly Subschema[]): ReadonlyMap<string, Subschema> {
  const anchors = new Map<string, Subschema>();
  for (const schema of schemas) {
    if (schema.json.is !== "object") continue;
    for (const { key, value } of schema.json.members) {
      if (value.is !== "string") continue;
      if (key === "$anchor" || key === "$dynamicAnchor") anchors.set(value.value, schema);
      else if (key === "$id" && value.value.startsWith("#")) anchors.set(value.value.slice(1), schema);
    }
  }
  return anchors;
}

/** The fragment of a URI reference without its percent escapes. */
function unescaped(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
