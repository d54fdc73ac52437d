import { type Address, below, type Json, memberOf, root } from "@countersign/core";
import { isTool } from "../is-tool.ts";
import { readSchema, type SchemaDocument } from "./schema-document.ts";

/** The schema documents of a definition. Only tools have any. */
export function schemasOf({ kind }: Pick<Address, "kind">, json: Json): readonly SchemaDocument[] {
  if (!isTool(kind)) return [];
  return ["inputSchema", "outputSchema"].flatMap((key) => {
    const schema = memberOf(json, key);
    return schema === undefined ? [] : [readSchema(schema, below(root, key))];
  });
}
