import { memberOf, type Rendering, readJson } from "@countersign/core";
import { type HeaderParam, headerParamsOf } from "./header-params.ts";

/** An approved text is called time and again. */
const known = new WeakMap<Rendering, readonly HeaderParam[]>();

/** What the approved text of a tool wants to have in headers. */
export function declaredParams(rendering: Rendering): readonly HeaderParam[] {
  const before = known.get(rendering);
  if (before !== undefined) return before;
  const reading = rendering.text.includes("x-mcp-header") ? readJson(rendering.text) : undefined;
  const params = reading?.is === "json" ? headerParamsOf(memberOf(reading.json, "inputSchema")) : [];
  known.set(rendering, params);
  return params;
}
