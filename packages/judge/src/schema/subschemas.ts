import { below, type Json, memberOf, type Pointer } from "@countersign/core";
import { type Dialect, isBefore, refStandsAlone } from "./dialect.ts";

/** One schema of a schema document. */
export interface Subschema {
  readonly json: Json;
  readonly at: Pointer;
  /** Schemas around it; the document itself has none. */
  readonly depth: number;
  /** The schema that holds it, and whether both apply to the same value. */
  readonly parent: Subschema | undefined;
  readonly sameValue: boolean;
  /** Where its `#` begins: the nearest schema around it that has an identifier of its own, or the document. */
  readonly base: Base;
  /** Whether only a reference makes it a schema: it stands in a keyword that no dialect knows. */
  readonly onlyReferred: boolean;
}

export interface Base {
  readonly json: Json;
  readonly at: Pointer;
}

export interface SubschemaOptions {
  readonly dialect: Dialect;
  /** Of a schema that is reached in the midst of a document. */
  readonly referredFrom?: {
    readonly base: Base;
    /** Schemas that were walked before, with all that is in them: they are not walked again. */
    readonly known: ReadonlyMap<Json, Subschema>;
  };
}

/** Keywords that hold one schema, and whether it applies to the same value. */
const one: ReadonlyMap<string, boolean> = new Map([
  ...["not", "if", "then", "else"].map((key) => [key, true] as const),
  ...[
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "contentSchema",
  ].map((key) => [key, false] as const),
]);
const list: ReadonlyMap<string, boolean> = new Map([
  ...["allOf", "anyOf", "oneOf"].map((key) => [key, true] as const),
  ...["prefixItems", "items"].map((key) => [key, false] as const),
]);
const map: ReadonlyMap<string, boolean> = new Map([
  ...["dependentSchemas", "dependencies"].map((key) => [key, true] as const),
  ...["properties", "patternProperties", "$defs", "definitions"].map((key) => [key, false] as const),
]);

/**
 * Every schema in a schema document, by the keywords of JSON Schema draft-04 to 2020-12. References are not followed.
 *
 * INVARIANT: `readJson` bounds the depth of the document; the walk keeps its own stack all the same.
 */
export function subschemas(json: Json, at: Pointer, { dialect, referredFrom }: SubschemaOptions): readonly Subschema[] {
  const own = { json, at };
  const base = referredFrom === undefined || identifierOf(json, dialect) !== undefined ? own : referredFrom.base;
  const onlyReferred = referredFrom !== undefined;
  const found: Subschema[] = [];
  const open: Subschema[] = [{ json, at, depth: 0, parent: undefined, sameValue: false, base, onlyReferred }];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (referredFrom?.known.has(schema.json)) continue;
    found.push(schema);
    // One by one: as arguments of one call a hundred thousand would not fit on the stack.
    for (const inner of within(schema, dialect).reverse()) open.push(inner);
  }
  return found;
}

function within(parent: Subschema, dialect: Dialect): Subschema[] {
  const { json, at, depth, base, onlyReferred } = parent;
  if (json.is !== "object") return [];
  const found: Subschema[] = [];
  for (const { key, value } of json.members) {
    const where = below(at, key);
    const add = (inner: Json, innerAt: Pointer, sameValue: boolean) => {
      const own = identifierOf(inner, dialect) === undefined ? base : { json: inner, at: innerAt };
      found.push({ json: inner, at: innerAt, depth: depth + 1, parent, sameValue, base: own, onlyReferred });
    };
    const single = one.get(key);
    const many = list.get(key);
    const named = map.get(key);
    if (value.is === "array" && many !== undefined) {
      for (const [index, item] of value.items.entries()) add(item, below(where, index), many);
    } else if (value.is === "object" && named !== undefined) {
      for (const member of value.members) {
        // `dependencies` may list names instead.
        if (member.value.is !== "array") add(member.value, below(where, member.key), named);
      }
    } else if (single !== undefined) add(value, where, single);
  }
  return found;
}

/**
 * The identifier that makes a schema a resource of its own. Server-controlled. `$id: "#name"` is how draft-06 and draft-07
 * write an anchor, and beside a `$ref` they ignore it.
 */
export function identifierOf(json: Json, dialect: Dialect): string | undefined {
  const named = memberOf(json, identifierKey(dialect));
  if (named?.is !== "string" || named.value.startsWith("#")) return undefined;
  return refStandsAlone(dialect) && memberOf(json, "$ref") !== undefined ? undefined : named.value;
}

export function identifierKey(dialect: Dialect): "id" | "$id" {
  return isBefore(dialect, "draft-06") ? "id" : "$id";
}
