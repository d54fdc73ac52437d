import { type LetThrough, launchIsWithdrawn, type Snapshot } from "@countersign/core";
import type { ServerSettings } from "./config.ts";

/**
 * Why everything of a server passes now, if it does. Somebody's decision against how it is reached stands above both: then
 * it is not even started.
 */
export function letThroughNow(mode: ServerSettings["mode"], snapshot: Omit<Snapshot, "texts">): LetThrough | undefined {
  if (launchIsWithdrawn(snapshot)) return undefined;
  if (mode === "observe") return "OBSERVED";
  return snapshot.bypass === undefined ? undefined : "BYPASSED";
}
