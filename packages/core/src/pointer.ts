import { type Json, memberOf } from "./json.ts";

declare const brand: unique symbol;

/** RFC 6901. The empty pointer is the whole definition. */
export type Pointer = string & { readonly [brand]: "Pointer" };

/** The pointer to the whole. */
export const root = "" as Pointer;

/** The pointer to a member or an item of what is at `parent`. */
export function below(parent: Pointer, token: string | number): Pointer {
  if (typeof token === "number") return `${parent}/${token}` as Pointer;
  const escaped = /[~/]/.test(token) ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
  return `${parent}/${escaped}` as Pointer;
}

/** The value at a pointer, and the key it stands under; undefined where there is nothing. RFC 6901 §4. */
export function valueAt(
  json: Json,
  pointer: Pointer,
): { readonly key: string | undefined; readonly value: Json } | undefined {
  let value: Json | undefined = json;
  let key: string | undefined;
  for (const token of pointer.split("/").slice(1)) {
    key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    value =
      value?.is === "array" ? value.items[/^(?:0|[1-9][0-9]*)$/.test(key) ? Number(key) : -1] : memberOf(value, key);
    if (value === undefined) return undefined;
  }
  return value === undefined ? undefined : { key, value };
}
