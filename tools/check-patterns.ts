import { resolve } from "node:path";
import { ambiguityOf } from "../packages/judge/src/pattern/ambiguity-of.ts";
import {
  type CodePoints,
  complement,
  everything,
  intersect,
  union,
} from "../packages/judge/src/pattern/code-points.ts";
import type { Pattern } from "../packages/judge/src/pattern/pattern.ts";
import { readPattern } from "../packages/judge/src/pattern/read-pattern.ts";
import { apart } from "./look-arounds.ts";
import { patternsOf, type SourcePattern } from "./patterns-of.ts";

/**
 * Whether a regular expression of the judge could take more than linear time on some text. It can where a repetition without
 * a bound may be gone over from many beginnings, and what stands behind it may then fail. So one must
 * - stand at the end, where nothing can fail any more, or
 * - be reached from the beginning of the text only, or
 * - follow a character that it does not hold, so that its text has one beginning;
 * and nothing within it may be read in two ways. What is bounded costs so much at each place, and no more.
 *
 * Prints each one that does not keep to this, and exits 1 if there are any.
 */
export function checkPatterns(
  patterns: readonly SourcePattern[],
  excepted: readonly Exception[] = exceptions,
): readonly string[] {
  const problems: string[] = [];
  const used = new Set<Exception>();
  for (const { file, line, source, flags } of patterns) {
    const exception = excepted.find((one) => one.file === file && beginsWith(source, one.begins));
    if (exception !== undefined) {
      used.add(exception);
      continue;
    }
    const because = source === undefined ? "is made of more than constants" : troubleOf(source, flags);
    if (because !== undefined) problems.push(`${file}:${line} ${because}: /${source ?? "?"}/${flags}`);
  }
  for (const one of excepted) {
    if (!used.has(one))
      problems.push(`${one.file} has no pattern that begins with ${one.begins ?? "what is no constant"}`);
  }
  return problems;
}

interface Exception {
  readonly file: string;
  /** What its source begins with; undefined for one that is made of more than constants. */
  readonly begins: string | undefined;
  readonly because: string;
}

const exceptions: readonly Exception[] = [
  {
    file: "text/hidden-characters.ts",
    begins: "[[",
    because: "one character, of a set that is subtracted from another",
  },
  { file: "text/hidden-characters.ts", begins: "[0-9#*]", because: "each of nine laps begins with a joiner" },
  { file: "text/hidden-characters.ts", begins: undefined, because: "single characters beside single characters" },
  { file: "text/tongues.ts", begins: undefined, because: "folded first: tongues.test.ts has them checked" },
  { file: "pattern/read-pattern.ts", begins: "^[0-9]*,?[0-9]*", because: "given 32 characters" },
];

function beginsWith(source: string | undefined, begins: string | undefined): boolean {
  return begins === undefined || source === undefined ? begins === source : source.startsWith(begins);
}

function troubleOf(source: string, flags: string): string | undefined {
  for (const { part, around } of apart(source)) {
    const reading = readPattern(part);
    if (reading.is === "refused") return `cannot be read (${reading.because})`;
    for (const { pattern } of reading.parts) {
      const ambiguity = ambiguityOf(pattern, { left: 1_000_000 });
      if (ambiguity !== "none") return `is ${ambiguity}`;
      // Where a look-around stands is not known here, so it has no beginning of its own.
      const start: Place = flags.includes("y") && !around ? "start" : "anywhere";
      if (!isLinear(pattern, start, true, flags)) return "may be gone over again from many places";
    }
  }
  return undefined;
}

/** What stands before a part of a pattern: the beginning of the text and so many characters at most, nothing, or these. */
type Place = "start" | "anywhere" | CodePoints;

/** @param free whether nothing behind it can fail */
function isLinear(pattern: Pattern, place: Place, free: boolean, flags: string): boolean {
  switch (pattern.is) {
    case "nothing":
    case "set":
    case "assertion":
      return true;
    case "choice":
      return pattern.items.every((item) => isLinear(item, place, free, flags));
    case "sequence": {
      let here = place;
      return pattern.items.every((item, index) => {
        const freely = free && pattern.items.slice(index + 1).every(neverFails);
        const linear = isLinear(item, here, freely, flags);
        here = behind(item, here, flags);
        return linear;
      });
    }
    case "repeat": {
      const { item, least, most } = pattern;
      const endless = most === Number.POSITIVE_INFINITY;
      // Another lap is behind this one, and may fail.
      const freely = free && least <= 1 && !endless;
      if (!isLinear(item, place, freely, flags)) return false;
      if (most > 1 && !isLinear(item, behind(item, place, flags), freely, flags)) return false;
      if (!endless) return true;
      return (
        free || place === "start" || (place !== "anywhere" && !intersect(place, edge(item, flags, "first").points))
      );
    }
  }
}

function behind(item: Pattern, place: Place, flags: string): Place {
  if (item.is === "assertion") return item.of === "start" && !flags.includes("m") ? "start" : place;
  if (place === "start" && !isLong(item)) return "start";
  const { points, empty } = edge(item, flags, "last");
  if (!empty) return points;
  if (place === "anywhere") return place;
  return place === "start" ? points : union(place, points);
}

function neverFails(pattern: Pattern): boolean {
  switch (pattern.is) {
    case "nothing":
      return true;
    case "set":
    case "assertion":
      return false;
    case "sequence":
      return pattern.items.every(neverFails);
    case "choice":
      return pattern.items.some(neverFails);
    case "repeat":
      return pattern.least === 0 || neverFails(pattern.item);
  }
}

/** Whether there is no bound to what it matches. */
function isLong(pattern: Pattern): boolean {
  switch (pattern.is) {
    case "nothing":
    case "set":
    case "assertion":
      return false;
    case "sequence":
    case "choice":
      return pattern.items.some(isLong);
    case "repeat":
      return pattern.most === Number.POSITIVE_INFINITY || isLong(pattern.item);
  }
}

interface Edge {
  readonly points: CodePoints;
  readonly empty: boolean;
}

/** The characters that a match may begin or end with. */
function edge(pattern: Pattern, flags: string, side: "first" | "last"): Edge {
  switch (pattern.is) {
    case "nothing":
    case "assertion":
      return { points: [], empty: true };
    case "set": {
      const { points, properties } = pattern.set;
      return {
        points: properties.length > 0 ? everything : flags.includes("i") ? bothCases(points) : points,
        empty: false,
      };
    }
    case "choice": {
      const edges = pattern.items.map((item) => edge(item, flags, side));
      return { points: union(...edges.map(({ points }) => points)), empty: edges.some(({ empty }) => empty) };
    }
    case "sequence": {
      let points: CodePoints = [];
      for (const item of side === "first" ? pattern.items : [...pattern.items].reverse()) {
        const one = edge(item, flags, side);
        points = union(points, one.points);
        if (!one.empty) return { points, empty: false };
      }
      return { points, empty: true };
    }
    case "repeat": {
      const one = edge(pattern.item, flags, side);
      return { points: one.points, empty: one.empty || pattern.least === 0 };
    }
  }
}

/** Of ASCII; beyond it every case is taken to be there. */
function bothCases(points: CodePoints): CodePoints {
  const letters: (readonly [number, number])[] = [];
  for (let letter = 0x41; letter <= 0x5a; letter++) {
    const both: CodePoints = [
      [letter, letter],
      [letter + 0x20, letter + 0x20],
    ];
    if (intersect(points, both)) letters.push(...both);
  }
  const beyond = intersect(points, complement([[0, 0x7f]])) ? complement([[0, 0x7f]]) : [];
  return union(points, letters, beyond);
}

if (import.meta.main) {
  const problems = checkPatterns(patternsOf(resolve(import.meta.dirname, "../packages/judge/src")));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
