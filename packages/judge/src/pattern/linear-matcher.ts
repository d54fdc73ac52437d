import { RE2JS } from "re2js";
import { type CodePoints, everything } from "./code-points.ts";
import type { CharacterSet, Pattern, PatternPart } from "./pattern.ts";

/** Whether a text holds what a pattern describes, in time that grows with the text's length and the pattern's size. */
export function linearMatcher(parts: readonly PatternPart[]): (text: string) => boolean {
  const compiled = parts.map(({ pattern, matches }) => ({ automaton: RE2JS.compile(sourceOf(pattern)), matches }));
  return (text) => compiled.every(({ automaton, matches }) => automaton.matcher(text).find() === matches);
}

/** In RE2's syntax: nothing of the server's text is left in it but numbers of code points. */
function sourceOf(pattern: Pattern): string {
  switch (pattern.is) {
    case "nothing":
      return "(?:)";
    case "set":
      return sourceOfSet(pattern.set);
    case "assertion":
      switch (pattern.of) {
        case "start":
          return "\\A";
        case "end":
          return "\\z";
        case "boundary":
          return "\\b";
        case "no-boundary":
          return "\\B";
      }
      break;
    case "sequence":
      return `(?:${pattern.items.map(sourceOf).join("")})`;
    case "choice":
      return `(?:${pattern.items.map(sourceOf).join("|")})`;
    case "repeat": {
      const item = `(?:${sourceOf(pattern.item)})`;
      const { least, most } = pattern;
      if (most === Number.POSITIVE_INFINITY) return least === 0 ? `${item}*` : `${item.repeat(least - 1)}${item}+`;
      // Written out, because RE2 counts to 1,000 and not further; `sizeOf` has bounded it.
      return `(?:${item.repeat(least)}${`${item}?`.repeat(most - least)})`;
    }
  }
}

function sourceOfSet({ points, properties, negated }: CharacterSet): string {
  const members = properties.map(({ name, negated: not }) => `\\${not ? "P" : "p"}{${name}}`);
  const ranges = points.map(([low, high]) => (low === high ? hex(low) : `${hex(low)}-${hex(high)}`));
  if (members.length === 0 && ranges.length === 0) return `[^${sourceOfRanges(everything)}]`;
  return `[${negated ? "^" : ""}${members.join("")}${ranges.join("")}]`;
}

function sourceOfRanges(points: CodePoints): string {
  return points.map(([low, high]) => `${hex(low)}-${hex(high)}`).join("");
}

function hex(point: number): string {
  return `\\x{${point.toString(16)}}`;
}
