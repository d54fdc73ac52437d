import { shownName, type View } from "../print/view.ts";

/** `$.inputSchema.properties.path`: a JSON Pointer in the spelling of JSONPath. */
export function pathOf(pointer: string, view: Pick<View, "text">): string {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((token) => {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (/^(?:0|[1-9][0-9]*)$/.test(key)) return `[${key}]`;
      if (/^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/.test(key)) return `.${key}`;
      return `['${shownName(key, view).replaceAll("'", "\\'")}']`;
    });
  return `$${parts.join("")}`;
}
