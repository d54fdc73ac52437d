import { createHash } from "node:crypto";
import { type Json, type Member, memberOf } from "@countersign/core";
import { type LockForm, lockCanonical } from "./canonical-forms.ts";

/** What such a lock can pin of a tool: `mcp-lock/1` §5. */
export const lockFields = ["name", "description", "inputSchema"] as const;

export type LockField = (typeof lockFields)[number];

/** SHA-256 as bytes, of these fields of all tools together; undefined where a tool has no canonical form of this kind. */
export function surfaceHash(
  tools: readonly Json[],
  { form, coverage }: { readonly form: LockForm; readonly coverage: readonly LockField[] },
): Buffer | undefined {
  const named = tools.map((tool) => {
    const name = memberOf(tool, "name");
    return { name: name?.is === "string" ? name.value : "", record: recordOf(tool, coverage) };
  });
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const records: Json = { is: "array", start: 0, end: 0, items: named.map(({ record }) => record) };
  const canonical = lockCanonical(records, form);
  return canonical === undefined ? undefined : createHash("sha256").update(canonical, "utf8").digest();
}

function recordOf(tool: Json, coverage: readonly LockField[]): Json {
  const members = coverage.flatMap((key): readonly Member[] => {
    const value = memberOf(tool, key);
    return value === undefined ? [] : [{ key, start: 0, value }];
  });
  return { is: "object", start: 0, end: 0, members };
}
