import type { Pattern } from "../pattern/pattern.ts";

/**
 * Texts that make much work for whoever looks for a pattern, each grown to any size: what it matches, again and again; the
 * beginnings of that; and each of its repetitions, gone on for longer than it allows, once and again.
 */
export function adversarialTexts(pattern: Pattern): readonly Growing[] {
  const found = new Map<string, Growing>();
  const add = (lead: string, words: string) => {
    const again = words.toWellFormed(); // cut within a pair
    if (again !== "" && lead.length + again.length < longest) found.set(`${lead}\u0000${again}`, { lead, again });
  };
  for (const pick of picks) {
    for (const least of [true, false]) {
      const whole = sample(pattern, pick, least);
      for (const words of [whole, whole.slice(0, -1), whole.slice(0, Math.ceil(whole.length / 2))]) {
        add("", `${words} `);
        add("", words);
      }
    }
    for (const { lead, again } of runs(pattern, pick)) {
      add(lead, again);
      add("", lead + again.repeat(Math.ceil(100 / Math.max(1, again.length))));
    }
  }
  return [...found.values()];
}

/** What comes once, and what comes behind it as often as there is room. */
export interface Growing {
  readonly lead: string;
  readonly again: string;
}

export function grown({ lead, again }: Growing, length: number): string {
  return lead + again.repeat(Math.max(1, Math.floor((length - lead.length) / again.length)));
}

/** Which of several alternatives and characters is taken. Coprime to most counts of them. */
const picks = [0, 1, 2, 5, 11, 23, 31];

/** A longer one would leave no room for many. */
const longest = 1_000;

/** How often a repetition without a bound is gone through. */
const often = 30;

function sample(pattern: Pattern, pick: number, least: boolean): string {
  switch (pattern.is) {
    case "nothing":
    case "assertion":
      return "";
    case "set":
      return characterOf(pattern, pick);
    case "sequence":
      return pattern.items.map((item, index) => sample(item, pick + index, least)).join("");
    case "choice": {
      const item = pattern.items[pick % pattern.items.length];
      return item === undefined ? "" : sample(item, pick, least);
    }
    case "repeat": {
      const count = least ? pattern.least : Math.min(pattern.most, Math.max(pattern.least, often));
      return Array.from({ length: count }, (_, index) => sample(pattern.item, pick + index, least)).join("");
    }
  }
}

/** The repetitions in it, and what leads to each. */
function runs(pattern: Pattern, pick: number): readonly Growing[] {
  switch (pattern.is) {
    case "nothing":
    case "assertion":
    case "set":
      return [];
    case "choice":
      return pattern.items.flatMap((item) => runs(item, pick));
    case "sequence":
      return pattern.items.flatMap((item, index) => {
        const before = pattern.items.slice(0, index).map((one) => sample(one, pick, true));
        return runs(item, pick).map(({ lead, again }) => ({ lead: before.join("") + lead, again }));
      });
    case "repeat": {
      const laps = [0, 1, 2].map((more) => sample(pattern.item, pick + more, true)).join("");
      return [...(pattern.most > 1 ? [{ lead: "", again: laps }] : []), ...runs(pattern.item, pick)];
    }
  }
}

/** Preferably one that other patterns hold as well. */
function characterOf({ set: { points, properties } }: Extract<Pattern, { is: "set" }>, pick: number): string {
  if (properties.length > 0) return "\u00e9";
  const common = [...'a _0`"./-<'].filter((one) => {
    const point = one.charCodeAt(0);
    return points.some(([first, last]) => first <= point && point <= last);
  });
  return common[pick % Math.max(1, common.length)] ?? String.fromCodePoint(points[0]?.[0] ?? 0x61);
}
