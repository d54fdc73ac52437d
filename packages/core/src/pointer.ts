declare const brand: unique symbol;

/** RFC 6901. The empty pointer is the whole definition. */
export type Pointer = string & { readonly [brand]: "Pointer" };

export const root = "" as Pointer;

export function below(parent: Pointer, token: string | number): Pointer {
  if (typeof token === "number") return `${parent}/${token}` as Pointer;
  const escaped = /[~/]/.test(token) ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
  return `${parent}/${escaped}` as Pointer;
}
