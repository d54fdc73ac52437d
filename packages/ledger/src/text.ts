import { type Digest, digestOf, type Kind, kinds, readJson } from "@countersign/core";

/** The text of one definition, as it was received or rendered. */
export interface Text {
  readonly kind: Kind;
  readonly digest: Digest;
  readonly text: string;
}

/** A row as a store gives it back: anybody who can write the file may have written it. */
export interface StoredText {
  readonly kind: string;
  readonly digest: string;
  readonly text: string;
}

/** Whether a text is one of those that its digest names. They differ in spelling at most, never in value. */
export function isSound({ kind, digest, text }: StoredText): boolean {
  const known = kinds.find((one) => one === kind);
  if (known === undefined) return false;
  const reading = readJson(text);
  return reading.is === "json" && digestOf(known, reading.json) === digest;
}
