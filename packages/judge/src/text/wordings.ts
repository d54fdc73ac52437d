import type { Effect } from "@countersign/core";
import type { Claim, Text } from "../rule.ts";
import type { Clause } from "./clauses.ts";
import { type Match, matchesIn } from "./matches.ts";

/**
 * One way to say what a rule looks for. Where words are optional in a pattern, `{0,4}` is cheaper than `{0,2}`: the engine
 * compiles three laps and fewer one by one, and most of what a first list costs is compiling.
 */
export interface Wording {
  /** Groups of `cue`: a clause has a word of each. */
  readonly hint: readonly number[];
  /** One of these stands in a clause besides, where the groups say too little. The pattern matches nothing without. */
  readonly needs?: readonly string[];
  readonly pattern: RegExp | ((clause: Clause) => readonly Match[]);
  readonly effectOf: (match: Match, text: Text) => Effect | undefined;
}

/** What the clauses of some texts hold of some wordings: for each clause what weighs most. */
export function* claimsIn(phrases: readonly Text[], wordings: readonly Wording[]): Iterable<Claim> {
  for (const text of phrases) {
    const { at, part, reading } = text;
    // Most texts hold the groups of none: nothing is made for them.
    if (!isPossible(reading.cues, wordings)) continue;
    for (const clause of reading.clauses) {
      if (clause.cues === 0) continue;
      const found = heaviestIn(clause, text, wordings);
      if (found !== undefined) yield { at, part, ...found };
    }
  }
}

function isPossible(cues: number, wordings: readonly Wording[]): boolean {
  if (cues === 0) return false;
  for (const { hint } of wordings) if (hasAll(cues, hint)) return true;
  return false;
}

function heaviestIn(
  clause: Clause,
  text: Text,
  wordings: readonly Wording[],
): Required<Pick<Claim, "span" | "effect">> | undefined {
  let heaviest: Required<Pick<Claim, "span" | "effect">> | undefined;
  for (const { hint, needs, pattern, effectOf } of wordings) {
    if (!hasAll(clause.cues, hint)) continue;
    if (needs !== undefined && !needs.some((word) => clause.text.includes(word))) continue;
    for (const match of typeof pattern === "function" ? pattern(clause) : matchesIn(clause, pattern)) {
      const effect = effectOf(match, text);
      if (effect === undefined || (heaviest !== undefined && weightOf[effect] <= weightOf[heaviest.effect])) continue;
      heaviest = { span: match.span, effect };
    }
  }
  return heaviest;
}

const weightOf: Readonly<Record<Effect, number>> = { note: 0, ask: 1, refuse: 2 };

function hasAll(cues: number, hint: readonly number[]): boolean {
  for (const group of hint) if ((cues & group) === 0) return false;
  return true;
}
