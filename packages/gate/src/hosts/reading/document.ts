import type { Json } from "@countersign/core";

/** What a file says, whatever it is written in. Offsets are into the text that was read. */
export interface Document {
  /** Undefined where nothing of the file could be read, or it is empty. */
  readonly root: Json | undefined;
  /** In the order of the file. What could be read in spite of them is in `root`. */
  readonly faults: readonly DocumentFault[];
}

export interface DocumentFault {
  readonly code: "SYNTAX" | "TOO_LARGE" | "TOO_DEEP";
  readonly at?: number;
  readonly detail?: string;
}

/**
 * Values that one file may hold. A repository can make a file of ten million zeros; the largest file that a host keeps has
 * some ten thousand.
 */
export const mostValues = 1_000_000;

/** A reader's own recursion, on a file that is nothing but brackets. */
export function readBounded(read: () => Document): Document {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return { root: undefined, faults: [{ code: "TOO_DEEP" }] };
    throw error;
  }
}
