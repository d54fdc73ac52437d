import { below, type Json, type Pointer } from "@countersign/core";
import { type Dialect, defaultDialect, dialectOf, isKeywordOf, refStandsAlone } from "./dialect.ts";
import { isWellFormed } from "./is-well-formed.ts";
import type { Reference, SchemaDocument } from "./schema-document.ts";

/** A place where validators do not read the same, or where one that keeps to its dialect reads nothing at all. */
export interface Quirk {
  readonly at: Pointer;
  readonly because:
    | "malformed"
    | "ignored-by-dialect"
    | "ignored-beside-ref"
    | "mixed-dialects"
    | "dynamic-scope"
    | "into-unknown-keyword";
}

export function* schemaQuirks(document: SchemaDocument): Iterable<Quirk> {
  const dialect = document.dialect ?? defaultDialect;
  const resources = new Set(document.schemas.map(({ base }) => base.json)).size;
  for (const { json, at } of document.schemas) {
    if (json.is !== "object") {
      if (json.is !== "boolean") yield { at, because: "malformed" };
      continue;
    }
    const alone =
      refStandsAlone(dialect) && json.members.some(({ key, value }) => key === "$ref" && value.is === "string");
    for (const { key, value } of json.members) {
      const because = quirkOf(key, value, dialect, alone);
      if (because !== undefined) yield { at: below(at, key), because };
      else if (key === "$schema" && json !== document.json && dialectOf(json) !== dialect) {
        yield { at: below(at, key), because: "mixed-dialects" };
      }
    }
  }
  for (const reference of document.references) {
    const because = quirkOfReference(reference, resources);
    if (because !== undefined) yield { at: reference.at, because };
  }
}

function quirkOf(key: string, value: Json, dialect: Dialect, alone: boolean): Quirk["because"] | undefined {
  const known = isKeywordOf(dialect, key);
  if (known === undefined) return undefined;
  if (!known) return "ignored-by-dialect";
  if (alone && key !== "$ref") return "ignored-beside-ref";
  return isWellFormed(key, value, dialect) ? undefined : "malformed";
}

function quirkOfReference({ keyword, target }: Reference, resources: number): Quirk["because"] | undefined {
  if (typeof target === "string") return undefined; // `remote-ref` speaks of it
  if (keyword !== "$ref" && resources > 1) return "dynamic-scope";
  return target.onlyReferred ? "into-unknown-keyword" : undefined;
}
