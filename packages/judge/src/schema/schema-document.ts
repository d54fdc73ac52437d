import { below, type Json, type JsonObject, type Pointer } from "@countersign/core";
import { type Dialect, defaultDialect, dialectOf, refStandsAlone } from "./dialect.ts";
import { identifierKey, type Subschema, subschemas } from "./subschemas.ts";

export interface Reference {
  readonly keyword: "$ref" | "$dynamicRef" | "$recursiveRef";
  /** Of the reference itself. */
  readonly at: Pointer;
  /** The value as written, if it is a string. Server-controlled. */
  readonly written: string | undefined;
  /** What it stands for, or why that cannot be known. */
  readonly target: Subschema | "remote" | "missing" | "ambiguous";
  readonly from: Subschema;
}

/** A schema document with its references looked up, none of them expanded. */
export interface SchemaDocument {
  readonly json: Json;
  readonly at: Pointer;
  /** Undefined where it names one that is not published; it is read as the default one then. */
  readonly dialect: Dialect | undefined;
  /** Those that the keywords hold, and those that only a reference reaches. */
  readonly schemas: readonly Subschema[];
  readonly references: readonly Reference[];
  readonly anchors: readonly Anchor[];
}

/** A name that a reference can use instead of a pointer. Server-controlled. */
export interface Anchor {
  readonly name: string;
  readonly at: Pointer;
  /** Another schema under the same `#` has the same name. */
  readonly twice: boolean;
}

export function readSchema(json: Json, at: Pointer): SchemaDocument {
  const declared = dialectOf(json);
  const dialect = declared ?? defaultDialect;
  const schemas = [...subschemas(json, at, { dialect })];
  const known = new Map<Json, Subschema>(schemas.map((schema) => [schema.json, schema]));
  const references: Reference[] = [];
  const members = new Map<JsonObject, ReadonlyMap<string, Json>>();
  const { anchors, named } = anchorsOf(schemas, dialect);

  const resolve = (written: string | undefined, { base, depth }: Subschema): Reference["target"] => {
    if (written?.startsWith("#") !== true) return "remote";
    const fragment = unescaped(written.slice(1));
    if (fragment === undefined) return "missing";
    if (fragment !== "" && !fragment.startsWith("/")) return named.get(base.json)?.get(fragment) ?? "missing";
    const found = follow(base, fragment, members);
    if (found === undefined) return "missing";
    const schema = known.get(found.json);
    if (schema !== undefined) return schema;
    // Inside a keyword that no dialect knows: a schema all the same, because this reference makes it one.
    const reached = subschemas(found.json, found.at, { dialect, referredFrom: { base, known } });
    for (const inner of reached) {
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
      if (key !== "$ref" && key !== "$dynamicRef" && key !== "$recursiveRef") continue;
      const written = value.is === "string" ? value.value : undefined;
      references.push({ keyword: key, at: below(from.at, key), written, target: resolve(written, from), from });
    }
  }
  return { json, at, dialect: declared, schemas, references, anchors };
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

function anchorsOf(
  schemas: readonly Subschema[],
  dialect: Dialect,
): {
  readonly anchors: readonly Anchor[];
  readonly named: ReadonlyMap<Json, ReadonlyMap<string, Subschema | "ambiguous">>;
} {
  const anchors: Anchor[] = [];
  const named = new Map<Json, Map<string, Subschema | "ambiguous">>();
  for (const schema of schemas) {
    if (schema.json.is !== "object") continue;
    const names = named.get(schema.base.json) ?? new Map<string, Subschema | "ambiguous">();
    for (const { key, value } of schema.json.members) {
      const name = value.is === "string" ? anchorName(key, value.value, dialect) : undefined;
      if (name === undefined) continue;
      const other = names.get(name);
      const twice = other !== undefined && other !== schema;
      anchors.push({ name, at: below(schema.at, key), twice });
      names.set(name, twice ? "ambiguous" : schema);
    }
    if (names.size > 0) named.set(schema.base.json, names);
  }
  return { anchors, named };
}

function anchorName(key: string, value: string, dialect: Dialect): string | undefined {
  if (refStandsAlone(dialect))
    return key === identifierKey(dialect) && value.startsWith("#") ? value.slice(1) : undefined;
  return key === "$anchor" || key === "$dynamicAnchor" ? value : undefined;
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
