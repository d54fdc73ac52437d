import { visible } from "@countersign/core";

/** A word that somebody else wrote, in a sentence of ours. */
export function shownShort(text: string): string {
  return visible(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** Code units. */
const longest = 300;
