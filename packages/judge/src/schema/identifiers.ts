import { type Address, below, canonicalize, type Json, type Pointer, readJson } from "@countersign/core";
import { defaultDialect } from "./dialect.ts";
import type { SchemaDocument } from "./schema-document.ts";
import { schemasOf } from "./schemas-of.ts";
import { identifierKey, identifierOf } from "./subschemas.ts";

/** A schema that calls itself something that a validator with one registry would find it under. */
export interface Identified {
  readonly at: Pointer;
  /** Server-controlled. */
  readonly identifier: string;
  readonly json: Json;
}

export function* identifiedIn({ dialect: declared, schemas }: SchemaDocument): Iterable<Identified> {
  const dialect = declared ?? defaultDialect;
  for (const { json, at } of schemas) {
    const identifier = identifierOf(json, dialect);
    if (identifier !== undefined) yield { at: below(at, identifierKey(dialect)), identifier, json };
  }
}

/**
 * The identifiers of all schemas of an offer that stand for more than one thing, there or in what other servers have approved.
 *
 * @param elsewhere texts of tools
 */
export function collidingIdentifiers(
  definitions: readonly { readonly address: Pick<Address, "kind">; readonly json: Json }[],
  elsewhere: readonly string[],
): ReadonlySet<string> {
  const first = new Map<string, { readonly schema: Json; readonly document: SchemaDocument }>();
  const colliding = new Set<string>();
  let left = mostCompared;
  for (const { address, json } of [...elsewhere.map(toolOf), ...definitions]) {
    for (const document of schemasOf(address, json)) {
      for (const { identifier, json: schema } of identifiedIn(document)) {
        const other = first.get(identifier);
        if (other === undefined) first.set(identifier, { schema, document });
        if (other === undefined || colliding.has(identifier)) continue;
        left -= schema.end - schema.start + other.schema.end - other.schema.start;
        // Within one document an identifier belongs to one schema, whatever the other says.
        if (other.document === document || left < 0 || canonicalize(schema) !== canonicalize(other.schema)) {
          colliding.add(identifier);
        }
      }
    }
  }
  return colliding;
}

/** INVARIANT: it was approved, so it has been read before, within the same bounds. */
function toolOf(text: string): { address: Pick<Address, "kind">; json: Json } {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`an approved text is not JSON: ${reading.refusal.code}`);
  return { address: { kind: "tool" }, json: reading.json };
}

/** Code units. A schema within a schema within a schema, each identified, would be compared as often. */
const mostCompared = 16_000_000;
