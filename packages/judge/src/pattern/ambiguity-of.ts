import { intersect } from "./code-points.ts";
import type { CharacterSet, Pattern } from "./pattern.ts";

/**
 * Whether an engine that backtracks can need exponential time: whether, within a repetition, one text can be read in two
 * ways that come together again, as in `(a+)+`, `(a|a)*` and `(a?b?)*`. Two readings of every lap make 2^n of n laps.
 * (Weber and Seidl, On the degree of ambiguity of finite automata, 1991: the criterion EDA, on the position automaton.)
 *
 * `undecided` where that would take more steps than `work` has left.
 */
export function ambiguityOf(pattern: Pattern, work: Work): "none" | "exponential" | "undecided" {
  let worst: "none" | "undecided" = "none";
  for (const loop of outermostLoops(pattern)) {
    if (isPlain(loop)) continue;
    const ambiguity = ofLoop(loop, work);
    if (ambiguity === "exponential") return ambiguity;
    if (ambiguity === "undecided") worst = ambiguity;
  }
  return worst;
}

/** Steps that are left. They are taken from it. */
export interface Work {
  left: number;
}

/** A count as high as this is as good as none: `(a+){8}` has its 2^8 already. */
const many = 8;

function outermostLoops(pattern: Pattern): readonly Pattern[] {
  switch (pattern.is) {
    case "nothing":
    case "set":
    case "assertion":
      return [];
    case "sequence":
    case "choice":
      return pattern.items.flatMap(outermostLoops);
    case "repeat":
      return pattern.most >= many ? [pattern.item] : outermostLoops(pattern.item);
  }
}

/** One reading of every text: nothing in it is chosen, left out or repeated. */
function isPlain(pattern: Pattern): boolean {
  switch (pattern.is) {
    case "nothing":
    case "set":
    case "assertion":
      return true;
    case "sequence":
      return pattern.items.every(isPlain);
    case "choice":
    case "repeat":
      return false;
  }
}

class Undecided extends Error {}
class Exponential extends Error {}

/** Positions of a part: where it can begin and end, each with whether there are two ways, and in how many it is empty. */
interface Part {
  readonly first: Positions;
  readonly last: Positions;
  readonly empty: Ways;
}
type Ways = 0 | 1 | 2;
type Positions = ReadonlyMap<number, Ways>;

const most = 400;

function ofLoop(item: Pattern, work: Work): "none" | "exponential" | "undecided" {
  try {
    const automaton = new PositionAutomaton(work);
    automaton.loop(automaton.build(item));
    automaton.walkPairs();
    return "none";
  } catch (error) {
    if (error instanceof Exponential) return "exponential";
    if (error instanceof Undecided) return "undecided";
    throw error;
  }
}

class PositionAutomaton {
  private readonly sets: CharacterSet[] = [];
  private readonly follow: Map<number, Ways>[] = [];
  private readonly work: Work;

  constructor(work: Work) {
    this.work = work;
  }

  build(pattern: Pattern): Part {
    switch (pattern.is) {
      case "nothing":
      case "assertion":
        return { first: new Map(), last: new Map(), empty: 1 };
      case "set": {
        if (this.sets.length >= most) throw new Undecided();
        const here: Positions = new Map([[this.sets.length, 1]]);
        this.sets.push(pattern.set);
        this.follow.push(new Map());
        return { first: here, last: here, empty: 0 };
      }
      case "sequence":
        return pattern.items.reduce((part: Part, item) => this.chain(part, this.build(item)), emptyPart);
      case "choice": {
        const parts = pattern.items.map((item) => this.build(item));
        return {
          first: this.merged(...parts.map(({ first }) => first)),
          last: this.merged(...parts.map(({ last }) => last)),
          empty: atMostTwo(parts.reduce((sum, { empty }) => sum + empty, 0)),
        };
      }
      case "repeat":
        return this.repeat(pattern.item, pattern.least, pattern.most);
    }
  }

  private repeat(item: Pattern, least: number, high: number): Part {
    const endless = high >= many && high !== least;
    let part: Part = emptyPart;
    // From the end: `a{1,3}` is `a(a(a)?)?`, which has one reading.
    if (endless) {
      const last = this.build(item);
      this.loop(last);
      part = least === 0 ? optional(last) : last;
    } else for (let count = least; count < high; count++) part = optional(this.chain(this.build(item), part));
    for (let count = endless ? 1 : 0; count < Math.min(least, most); count++) part = this.chain(this.build(item), part);
    return part;
  }

  private chain(one: Part, next: Part): Part {
    this.connect(one.last, next.first);
    return {
      first: one.empty === 0 ? one.first : this.merged(one.first, times(next.first, one.empty)),
      last: next.empty === 0 ? next.last : this.merged(next.last, times(one.last, next.empty)),
      empty: atMostTwo(one.empty * next.empty),
    };
  }

  /** Its end leads to its beginning. */
  loop({ first, last }: Part): void {
    this.connect(last, first);
  }

  private connect(from: Positions, to: Positions): void {
    for (const [position, ways] of from) {
      const follow = this.follow[position];
      if (follow === undefined) continue;
      for (const [next, others] of to) {
        this.step();
        follow.set(next, atMostTwo((follow.get(next) ?? 0) + ways * others));
      }
    }
  }

  private merged(...all: readonly Positions[]): Positions {
    const merged = new Map<number, Ways>();
    for (const positions of all) {
      for (const [position, ways] of positions) {
        this.step();
        merged.set(position, atMostTwo((merged.get(position) ?? 0) + ways));
      }
    }
    return merged;
  }

  /** Two readers that start at one position, part, and meet again. The loop makes every position lead to every other. */
  walkPairs(): void {
    const seen = new Set<number>();
    const open: (readonly [number, number])[] = [];
    const enter = (one: number, other: number) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const key = low * most + high;
      if (seen.has(key)) return;
      seen.add(key);
      open.push([low, high]);
    };
    for (const follow of this.follow) {
      const next = [...follow];
      for (const [index, [one, ways]] of next.entries()) {
        if (ways === 2 && !isNever(this.sets[one])) throw new Exponential();
        for (const [other] of next.slice(index + 1)) if (this.meet(one, other)) enter(one, other);
      }
    }
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      for (const one of this.follow[pair[0]]?.keys() ?? []) {
        for (const other of this.follow[pair[1]]?.keys() ?? []) {
          if (!this.meet(one, other)) continue;
          if (one === other) throw new Exponential();
          enter(one, other);
        }
      }
    }
  }

  private meet(one: number, other: number): boolean {
    this.step();
    const [a, b] = [this.sets[one], this.sets[other]];
    if (a === undefined || b === undefined || isNever(a) || isNever(b)) return false;
    // What a property holds is not looked up: it may be anything, but for the general categories.
    if (a.properties.length > 0 || b.properties.length > 0) return !areApart(categoryOf(a), categoryOf(b));
    this.work.left -= a.points.length + b.points.length;
    return intersect(a.points, b.points);
  }

  private step(): void {
    if (--this.work.left < 0) throw new Undecided();
  }
}

const emptyPart: Part = { first: new Map(), last: new Map(), empty: 1 };

/** An engine of ECMA-262 does not take an empty lap, so there is one way to leave it out. */
function optional({ first, last }: Part): Part {
  return { first, last, empty: 1 };
}

function times(positions: Positions, ways: Ways): Positions {
  if (ways !== 2) return positions;
  return new Map([...positions.keys()].map((position) => [position, 2]));
}

function atMostTwo(ways: number): Ways {
  return ways >= 2 ? 2 : ways >= 1 ? 1 : 0;
}

/** The one letter of the general category that a set is a part of. */
function categoryOf({ points, properties: [property, ...others], negated }: CharacterSet): string | undefined {
  if (property === undefined || others.length > 0 || points.length > 0 || negated || property.negated) return undefined;
  return property.name.length <= 2 ? property.name.charAt(0) : undefined;
}

function areApart(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function isNever(set: CharacterSet | undefined): boolean {
  return set !== undefined && set.points.length === 0 && set.properties.length === 0;
}
