import { type JsonObject, memberOf } from "@countersign/core";
import { claims, type Manifest, remainder } from "./format.ts";
import type { ObjectText } from "./json-manifest.ts";
import { member, nameIn, objectOf, spelled } from "./said.ts";

const methods: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query",
]);

/** OpenAPI 3 (and Swagger 2): each operation by its method and path, and all the rest as one. */
export function readOpenApi({ json, text }: ObjectText): Manifest {
  const paths = memberOf(json, "paths");
  const operations: { name: string; text: string }[] = [];
  const others: string[] = [];
  for (const path of paths?.is === "object" ? paths.members : []) {
    if (path.value.is !== "object") {
      others.push(spelled(path, text));
      continue;
    }
    const kept: string[] = [];
    for (const one of path.value.members) {
      if (!methods.has(one.key) || one.value.is !== "object") kept.push(spelled(one, text));
      else
        operations.push({
          name: `${one.key.toUpperCase()}:${path.key}`,
          text: text.slice(one.value.start, one.value.end),
        });
    }
    if (kept.length > 0) others.push(member(path.key, objectOf(kept)));
  }
  const rest = paths?.is === "object" ? restOf(json, text, others) : text;
  const name = nameIn(memberOf(memberOf(json, "info"), "title"), text);
  return { format: "openapi", name, said: [...claims("operation", operations), remainder(rest)], notes: [] };
}

function restOf(json: JsonObject, text: string, paths: readonly string[]): string {
  const kept = json.members.filter(({ key }) => key !== "paths").map((one) => spelled(one, text));
  return objectOf(paths.length === 0 ? kept : [...kept, member("paths", objectOf(paths))]);
}
