import { type Json, type JsonObject, memberOf } from "@countersign/core";
import { defaultDialect, isKeywordOf, refStandsAlone } from "./dialect.ts";
import type { SchemaDocument } from "./schema-document.ts";

/** What the schemas of a document let through that none of them declares, as their dialect has it. */
export interface Openness {
  /** Whether no object passes that has a property which no schema on the way declares. */
  readonly isClosed: (schema: Json) => boolean;
  /** Why a word of a schema means nothing there. */
  readonly ignored: (schema: JsonObject, keyword: string) => "ignored-by-dialect" | "ignored-beside-ref" | undefined;
}

/** Schemas within one another, by references too, that are followed before one counts as open. */
const deepest = 200;

/** Each schema is answered once, and a circle of references closes nothing. */
export function opennessOf({ dialect: declared, references }: SchemaDocument): Openness {
  const dialect = declared ?? defaultDialect;
  const targets = new Map<Json, Json[]>();
  for (const { from, keyword, target } of references) {
    if (typeof target === "string" || isKeywordOf(dialect, keyword) !== true) continue;
    const of = targets.get(from.json);
    if (of === undefined) targets.set(from.json, [target.json]);
    else of.push(target.json);
  }

  const standsAlone = (schema: JsonObject) => refStandsAlone(dialect) && memberOf(schema, "$ref")?.is === "string";
  const wordOf = (schema: JsonObject, keyword: string) =>
    isKeywordOf(dialect, keyword) === true ? memberOf(schema, keyword) : undefined;

  const isClosed = answeredOnce((schema, depth) => {
    if (schema.is !== "object") return schema.is === "boolean" && !schema.value;
    const inner = (json: Json) => isClosed(json, depth + 1);
    const referred = targets.get(schema) ?? [];
    if (standsAlone(schema)) return referred.some(inner);
    const word = (keyword: string) => wordOf(schema, keyword);
    if (isFalse(word("additionalProperties")) && !opensByPattern(word("patternProperties"))) return true;
    if (isFalse(word("unevaluatedProperties")) && !dealsWithAll(schema)) return true;
    if (holdsNoOpenObject(word("type"), word("enum"), word("const"), word("propertyNames"))) return true;
    if (referred.some(inner) || itemsOf(word("allOf")).some(inner)) return true;
    for (const branches of [itemsOf(word("anyOf")), itemsOf(word("oneOf"))]) {
      if (branches.length > 0 && branches.every(inner)) return true;
    }
    const [then, otherwise] = [word("then"), word("else")];
    return word("if") !== undefined && then !== undefined && otherwise !== undefined && inner(then) && inner(otherwise);
  }, false);

  /** Whether a schema can deal with every property, so that none is left for `unevaluatedProperties`. */
  const dealsWithAny = answeredOnce((schema, depth) => {
    if (schema.is !== "object") return false;
    if (!standsAlone(schema)) {
      for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
        const word = wordOf(schema, keyword);
        if (word !== undefined && !isFalse(word)) return true;
      }
      if (opensByPattern(wordOf(schema, "patternProperties"))) return true;
    }
    return insideOf(schema).some((json) => dealsWithAny(json, depth + 1));
  }, true);
  const dealsWithAll = (schema: JsonObject) => {
    const own = wordOf(schema, "additionalProperties");
    if ((own !== undefined && !isFalse(own)) || opensByPattern(wordOf(schema, "patternProperties"))) return true;
    return insideOf(schema).some((json) => dealsWithAny(json, 0));
  };

  const insideOf = (schema: JsonObject): readonly Json[] => {
    const referred = targets.get(schema) ?? [];
    if (standsAlone(schema)) return referred;
    const word = (keyword: string) => wordOf(schema, keyword);
    const single = [word("if"), word("then"), word("else")].flatMap((json) => (json === undefined ? [] : [json]));
    const dependent = word("dependentSchemas");
    return [
      ...referred,
      ...["allOf", "anyOf", "oneOf"].flatMap((keyword) => itemsOf(word(keyword))),
      ...single,
      ...(dependent?.is === "object" ? dependent.members.map(({ value }) => value) : []),
    ];
  };

  return {
    isClosed: (schema) => isClosed(schema, 0),
    ignored: (schema, keyword) => {
      if (isKeywordOf(dialect, keyword) !== true) return "ignored-by-dialect";
      return standsAlone(schema) && keyword !== "$ref" ? "ignored-beside-ref" : undefined;
    },
  };
}

/** `otherwise` while the answer is being looked for, and where it is too far away. */
function answeredOnce(answer: (schema: Json, depth: number) => boolean, otherwise: boolean) {
  const known = new Map<Json, boolean>();
  return (schema: Json, depth: number): boolean => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    known.set(schema, otherwise);
    if (depth > deepest) return otherwise;
    const found = answer(schema, depth);
    known.set(schema, found);
    return found;
  };
}

/** No value that is allowed is an object, or all of them are written down, or all their names are. */
function holdsNoOpenObject(...[type, list, constant, names]: readonly (Json | undefined)[]): boolean {
  if (list !== undefined || constant !== undefined) return true;
  if (isFalse(names) || memberOf(names, "enum") !== undefined || memberOf(names, "const") !== undefined) return true;
  if (type?.is === "string") return type.value !== "object";
  return type?.is === "array" && !type.items.some((item) => item.is === "string" && item.value === "object");
}

/** A pattern for more than one name, over what may be anything. */
export function opensByPattern(word: Json | undefined): boolean {
  if (word?.is !== "object") return false;
  return word.members.some(({ key, value }) => isAnything(value) && !/^\^[A-Za-z0-9_-]+\$$/.test(key));
}

/** `true`, or an object whose keys are all annotations. */
export function isAnything(json: Json): boolean {
  if (json.is === "boolean") return json.value;
  return json.is === "object" && json.members.every(({ key }) => annotations.has(key));
}

const annotations: ReadonlySet<string> = new Set(["title", "description", "$comment", "examples", "default"]);

export function isFalse(json: Json | undefined): boolean {
  return json?.is === "boolean" && !json.value;
}

function itemsOf(json: Json | undefined): readonly Json[] {
  return json?.is === "array" ? json.items : [];
}
