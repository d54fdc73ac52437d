import type { Json } from "@countersign/core";
import { type Dialect, isBefore } from "./dialect.ts";

/** Whether the value of a keyword is one that the dialect gives a meaning to. Schemas within it are not looked at. */
export function isWellFormed(keyword: string, value: Json, dialect: Dialect): boolean {
  const shape = shapes.get(keyword);
  return shape === undefined || hasShape(shape, value, dialect);
}

function hasShape(shape: Shape, value: Json, dialect: Dialect): boolean {
  switch (shape) {
    case "schema":
      return value.is === "object" || value.is === "boolean";
    case "schemas":
      return value.is === "array" && value.items.length > 0;
    case "schema-map":
      return value.is === "object" && value.members.every((member) => isSchema(member.value));
    case "items":
      return isSchema(value) || (value.is === "array" && isBefore(dialect, "2020-12"));
    case "dependencies":
      return value.is === "object" && value.members.every((member) => isSchema(member.value) || isNames(member.value));
    case "names":
      return isNames(value);
    case "name-map":
      return value.is === "object" && value.members.every((member) => isNames(member.value));
    case "type":
      return value.is === "array" ? value.items.length > 0 && value.items.every(isType) : isType(value);
    case "list":
      return value.is === "array";
    case "boolean":
    case "number":
    case "string":
      return value.is === shape;
    case "bound":
      return isBefore(dialect, "draft-06") ? value.is === "boolean" : value.is === "number";
    case "count":
      return value.is === "number" && Number(value.token) >= 0 && Number.isInteger(Number(value.token));
    case "positive":
      return value.is === "number" && /^[^-e]*[1-9]/i.test(value.token);
  }
}

function isSchema(value: Json): boolean {
  return value.is === "object" || value.is === "boolean";
}

function isNames(value: Json): boolean {
  return value.is === "array" && value.items.every((item) => item.is === "string");
}

function isType(value: Json): boolean {
  return value.is === "string" && types.has(value.value);
}

export const types: ReadonlySet<string> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "string",
  "integer",
]);

type Shape =
  | "schema"
  | "schemas"
  | "schema-map"
  | "items"
  | "dependencies"
  | "names"
  | "name-map"
  | "type"
  | "list"
  | "boolean"
  | "number"
  | "string"
  | "bound"
  | "count"
  | "positive";

const shapes: ReadonlyMap<string, Shape> = new Map([
  ...shaped(
    "schema",
    "additionalProperties unevaluatedProperties propertyNames additionalItems unevaluatedItems contains not if then else",
  ),
  ...shaped("schemas", "allOf anyOf oneOf prefixItems"),
  ...shaped("schema-map", "properties patternProperties dependentSchemas $defs definitions"),
  ...shaped("items", "items"),
  ...shaped("dependencies", "dependencies"),
  ...shaped("names", "required"),
  ...shaped("name-map", "dependentRequired"),
  ...shaped("type", "type"),
  ...shaped("list", "enum"),
  ...shaped("boolean", "uniqueItems"),
  ...shaped("number", "minimum maximum"),
  ...shaped("bound", "exclusiveMinimum exclusiveMaximum"),
  ...shaped("positive", "multipleOf"),
  ...shaped("count", "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"),
  ...shaped("string", "pattern $ref $dynamicRef $recursiveRef"),
]);

function shaped(shape: Shape, keywords: string): (readonly [string, Shape])[] {
  return keywords.split(" ").map((keyword) => [keyword, shape]);
}
