import type { Kind } from "@countersign/core";

/** Whether a model may call it: of a list, or of one sampling request. */
export function isTool(kind: Kind): boolean {
  return kind === "tool" || kind === "sampled-tool";
}
