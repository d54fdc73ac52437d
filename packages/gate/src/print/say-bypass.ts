import { type Snapshot, visible } from "@countersign/core";

/** Whoever decided it, and why, may have pasted what a server wrote. */
export function sayBypass({ until, by, reason }: NonNullable<Snapshot["bypass"]>): string {
  const why = reason === undefined ? "" : ` (${visible(reason)})`;
  return `BYPASSED by ${visible(by)} until ${new Date(until).toISOString()}${why}: everything of this server passes, approved or not`;
}
