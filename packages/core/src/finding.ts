import type { Pointer } from "./pointer.ts";

/** What a finding does to a definition that nobody has approved yet: stops it, asks about it, or only says so. */
export type Effect = "refuse" | "ask" | "note";

/** How often a rule that speaks is right. */
export type Confidence = "high" | "medium" | "low";

/** Code units of the carrier's text (the key, or the string value), not of its JSON. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What one rule claims about one place. */
export interface Finding {
  readonly rule: string;
  readonly at: Pointer;
  /** Whether the claim is about the key at `at` or about its value. */
  readonly part: "key" | "leaf";
  /** Absent when the claim is about a value that is no text. */
  readonly span?: Span;
  readonly effect: Effect;
  readonly confidence: Confidence;
  /** Server-controlled values among them: show them only through an escape. */
  readonly data: ReadonlyMap<string, string>;
}
