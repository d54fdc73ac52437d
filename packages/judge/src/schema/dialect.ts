import { type Json, memberOf } from "@countersign/core";

/** The published dialects of JSON Schema, oldest first. */
const dialects = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"] as const;
export type Dialect = (typeof dialects)[number];

/** What MCP says of a schema without `$schema`. */
export const defaultDialect: Dialect = "2020-12";

/** `http` and `https`, with or without an empty fragment, are the same. */
const published = /^https?:\/\/json-schema\.org\/(?:(draft-0[467])\/schema|draft\/(2019-09|2020-12)\/schema)#?$/;

export function dialectNamed(uri: string): Dialect | undefined {
  const match = published.exec(uri);
  const name = match?.[1] ?? match?.[2];
  return dialects.find((dialect) => dialect === name);
}

/** The dialect of a schema document; undefined where it names one that is not published. */
export function dialectOf(document: Json): Dialect | undefined {
  const named = memberOf(document, "$schema");
  if (named === undefined) return defaultDialect;
  return named.is === "string" ? dialectNamed(named.value) : undefined;
}

export function isBefore(dialect: Dialect, other: Dialect): boolean {
  return dialects.indexOf(dialect) < dialects.indexOf(other);
}

/** Until draft-07 a `$ref` stands alone: what stands beside it is ignored. */
export function refStandsAlone(dialect: Dialect): boolean {
  return isBefore(dialect, "2019-09");
}

/** Whether `keyword` means something to validators of `dialect`; undefined for what is no keyword of any dialect. */
export function isKeywordOf(dialect: Dialect, keyword: string): boolean | undefined {
  const span = assertions.get(keyword);
  if (span === undefined) return undefined;
  return !isBefore(dialect, span[0]) && !isBefore(span[1], dialect);
}

/** Keywords that allow and forbid, with the first and the last dialect that knows them. */
const assertions: ReadonlyMap<string, readonly [first: Dialect, last: Dialect]> = new Map([
  ...since(
    "draft-04",
    "type enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern items maxItems minItems uniqueItems maxProperties minProperties required properties patternProperties additionalProperties allOf anyOf oneOf not $ref",
  ),
  ...since("draft-06", "const contains propertyNames"),
  ...since("draft-07", "if then else"),
  ...since(
    "2019-09",
    "dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems minContains maxContains",
  ),
  ...since("2020-12", "prefixItems $dynamicRef"),
  ["additionalItems", ["draft-04", "2019-09"]],
  ["dependencies", ["draft-04", "draft-07"]],
  ["$recursiveRef", ["2019-09", "2019-09"]],
]);

function since(first: Dialect, keywords: string): (readonly [string, readonly [Dialect, Dialect]])[] {
  return keywords.split(" ").map((keyword) => [keyword, [first, "2020-12"]]);
}
