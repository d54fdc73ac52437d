import type { Json, Member } from "@countersign/core";

/**
 * How the two versions of the format write a value before they hash it: `rfc8785` for `mcp-lock/1`, and ToolPin's own for
 * its version 2: keys in Unicode NFC, in the order of a JavaScript object. Both read numbers as doubles, as ours does not:
 * equal hashes are not equal values.
 */
export type LockForm = "rfc8785" | "toolpin-2";

/** Undefined where the value has no form of this kind: two keys that are one in NFC, or a number beyond all doubles. */
export function lockCanonical(json: Json, form: LockForm): string | undefined {
  switch (json.is) {
    case "null":
      return "null";
    case "boolean":
      return json.value ? "true" : "false";
    case "number": {
      const value = Number(json.token);
      return form === "rfc8785" && !Number.isFinite(value) ? undefined : JSON.stringify(value);
    }
    case "string":
      return JSON.stringify(json.value);
    case "array": {
      const items = json.items.map((item) => lockCanonical(item, form));
      return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
    }
    case "object":
      return canonicalObject(json.members, form);
  }
}

function canonicalObject(members: readonly Member[], form: LockForm): string | undefined {
  const composed = new Set(members.map(({ key }) => key.normalize("NFC")));
  if (composed.size < members.length) return undefined;
  const named = members.map(({ key, value }) => ({ key: form === "rfc8785" ? key : key.normalize("NFC"), value }));
  named.sort((a, b) => (form === "rfc8785" ? 0 : indexesFirst(a.key, b.key)) || (a.key < b.key ? -1 : 1));
  const parts: string[] = [];
  for (const { key, value } of named) {
    const text = lockCanonical(value, form);
    if (text === undefined) return undefined;
    parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${parts.join(",")}}`;
}

/** A JavaScript object has its array indexes first, by number, whatever order they were put in. */
function indexesFirst(a: string, b: string): number {
  return (indexOf(a) ?? notAnIndex) - (indexOf(b) ?? notAnIndex);
}

function indexOf(key: string): number | undefined {
  const index = /^(?:0|[1-9][0-9]{0,9})$/.test(key) ? Number(key) : notAnIndex;
  return index < notAnIndex ? index : undefined;
}

const notAnIndex = 2 ** 32 - 1;
