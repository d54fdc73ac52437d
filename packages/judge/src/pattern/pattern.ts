import type { CodePoints } from "./code-points.ts";

/** A pattern of ECMA-262 that matches without looking back, ahead, or at what it captured. */
export type Pattern =
  | { readonly is: "nothing" }
  | { readonly is: "set"; readonly set: CharacterSet }
  | { readonly is: "assertion"; readonly of: "start" | "end" | "boundary" | "no-boundary" }
  | { readonly is: "sequence"; readonly items: readonly Pattern[] }
  | { readonly is: "choice"; readonly items: readonly Pattern[] }
  /** `most` is Infinity where there is no bound. */
  | { readonly is: "repeat"; readonly item: Pattern; readonly least: number; readonly most: number };

export interface CharacterSet {
  readonly points: CodePoints;
  /** Unicode properties beside the code points: a general category or a script. */
  readonly properties: readonly { readonly name: string; readonly negated: boolean }[];
  /** Whether the whole is turned round; only where there are properties. */
  readonly negated: boolean;
}

/** Why a pattern cannot be matched in linear time, or at all. */
export type PatternFault = "look-around" | "backreference" | "too-large" | "unknown-syntax";

export type PatternReading =
  | { readonly is: "pattern"; readonly parts: readonly PatternPart[]; readonly size: number }
  | { readonly is: "refused"; readonly because: PatternFault; readonly at: number };

/**
 * A pattern that looks ahead from the very beginning, `^(?=a)(?!b)c`, is three without: `^a` and `^c` match, `^b` does not.
 * Every other pattern has one part.
 */
export interface PatternPart {
  readonly pattern: Pattern;
  readonly matches: boolean;
}

/** Instructions of the automaton, with every counted repetition written out. */
export const largestPattern = 10_000;

/** How many instructions a pattern takes at most. */
export function sizeOf(pattern: Pattern): number {
  switch (pattern.is) {
    case "nothing":
    case "assertion":
      return 1;
    case "set":
      return 1 + Math.floor(pattern.set.points.length / 8);
    case "sequence":
      return pattern.items.reduce((sum, item) => sum + sizeOf(item), 1);
    case "choice":
      return pattern.items.reduce((sum, item) => sum + sizeOf(item) + 1, 1);
    case "repeat": {
      const { least, most } = pattern;
      const item = sizeOf(pattern.item);
      const optional = most === Number.POSITIVE_INFINITY ? 1 : most - least;
      return 1 + least * item + optional * (item + 1);
    }
  }
}
