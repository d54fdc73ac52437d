import {
  type CodePoints,
  complement,
  digits,
  lineTerminators,
  spaces,
  union,
  withoutSurrogates,
  wordCharacters,
} from "./code-points.ts";
import {
  type CharacterSet,
  largestPattern,
  type Pattern,
  type PatternFault,
  type PatternPart,
  type PatternReading,
  sizeOf,
} from "./pattern.ts";
import { propertyNamed } from "./property-named.ts";

/**
 * Reads a pattern as ECMA-262 does with the flag `u`, which JSON Schema 2020-12 core §6.4 asks for. What only the old
 * syntax of Annex B allows is read where it cannot be taken for anything else: `\-` and `\@`, `[\w-.]`, a brace or bracket
 * that closes nothing. What belongs to other engines (`(?i)`, `\A`, `(?P<name>`) is refused, never guessed.
 *
 * The server wrote the text: it is read here, and never given to an engine that backtracks.
 */
export function readPattern(text: string): PatternReading {
  if (text.length > longest) return { is: "refused", because: "too-large", at: 0 };
  try {
    const parts = new Reader(text).read();
    const size = parts.reduce((sum, { pattern }) => sum + sizeOf(pattern), 0);
    if (size > largestPattern) return { is: "refused", because: "too-large", at: 0 };
    return { is: "pattern", parts, size };
  } catch (error) {
    if (error instanceof Refused) return { is: "refused", because: error.because, at: error.at };
    throw error;
  }
}

class Refused extends Error {
  readonly because: PatternFault;
  readonly at: number;

  constructor(because: PatternFault, at: number) {
    super(because);
    this.because = because;
    this.at = at;
  }
}

/** Code units. */
const longest = 65_536;
/** Groups within groups. */
const deepest = 50;

const nothing: Pattern = { is: "nothing" };

class Reader {
  private at = 0;
  private depth = 0;
  private terms = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  read(): readonly PatternPart[] {
    const ahead = this.take("^") ? this.ahead() : [];
    if (ahead.length === 0) this.at = 0;
    const pattern = ahead.length === 0 ? this.choice() : fromStart(this.sequence());
    // `^(?!a)b|c` looks ahead in one of two ways only.
    if (this.sees("|")) throw this.refused("look-around", 1);
    if (this.at < this.text.length) throw this.refused("unknown-syntax"); // a `)` too many
    return [...ahead, { pattern, matches: true }];
  }

  private ahead(): PatternPart[] {
    const parts: PatternPart[] = [];
    while (this.sees("(?=") || this.sees("(?!")) {
      const start = this.at;
      if (++this.terms > largestPattern) throw this.refused("too-large");
      const matches = this.sees("(?=");
      this.at += 3;
      const pattern = fromStart(this.choice());
      if (!this.take(")")) throw this.refused("unknown-syntax", start);
      parts.push({ pattern, matches });
    }
    return parts;
  }

  private choice(): Pattern {
    const items = [this.sequence()];
    while (this.take("|")) items.push(this.sequence());
    return items.length === 1 && items[0] !== undefined ? items[0] : { is: "choice", items };
  }

  private sequence(): Pattern {
    const items: Pattern[] = [];
    while (this.at < this.text.length && !this.sees("|") && !this.sees(")")) items.push(this.term());
    return items.length === 1 && items[0] !== undefined ? items[0] : { is: "sequence", items };
  }

  private term(): Pattern {
    const start = this.at;
    if (++this.terms > largestPattern) throw this.refused("too-large");
    const item = this.atom();
    const quantifier = this.quantifier();
    if (quantifier === undefined) return item;
    // `^*` means nothing in ECMA-262, and something else in every other engine.
    if (item.is === "assertion" && this.text.charAt(start) !== "(") throw this.refused("unknown-syntax", start);
    this.take("?"); // lazy: the same texts match
    const repeat: Pattern = { is: "repeat", item, ...quantifier };
    if (sizeOf(repeat) > largestPattern) throw this.refused("too-large", start);
    if (this.sees("*") || this.sees("+") || this.sees("?")) throw this.refused("unknown-syntax");
    return repeat;
  }

  private quantifier(): { readonly least: number; readonly most: number } | undefined {
    if (this.take("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.take("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.take("?")) return { least: 0, most: 1 };
    counted.lastIndex = this.at;
    const match = counted.exec(this.text);
    if (match === null) return undefined;
    const [whole, low = "", open, high = ""] = match;
    const least = Number(low);
    const most = open === undefined ? least : high === "" ? Number.POSITIVE_INFINITY : Number(high);
    if (most < least) throw this.refused("unknown-syntax");
    if (least > largestPattern || (most !== Number.POSITIVE_INFINITY && most > largestPattern)) {
      throw this.refused("too-large");
    }
    this.at += whole.length;
    return { least, most };
  }

  private atom(): Pattern {
    const start = this.at;
    const point = this.point();
    switch (String.fromCodePoint(point)) {
      case "^":
        return { is: "assertion", of: "start" };
      case "$":
        return { is: "assertion", of: "end" };
      case ".":
        return setOf(complement(lineTerminators));
      case "(":
        return this.group(start);
      case "[":
        return { is: "set", set: this.characterClass(start) };
      case "\\":
        return this.escape(start);
      case "*":
      case "+":
      case "?":
        throw this.refused("unknown-syntax", start);
      case "{":
        // A count without anything to count, or a count in another engine's spelling.
        if (/^[0-9]*,?[0-9]*\}/.test(this.text.slice(this.at, this.at + 32)))
          throw this.refused("unknown-syntax", start);
        return setOf([[point, point]]);
      default:
        return setOf([[point, point]]);
    }
  }

  private group(start: number): Pattern {
    if (++this.depth > deepest) throw this.refused("too-large", start);
    if (this.take("?")) {
      if (this.sees("=") || this.sees("!") || this.sees("<=") || this.sees("<!")) {
        throw this.refused("look-around", start);
      }
      if (!this.take(":")) {
        groupName.lastIndex = this.at;
        if (!groupName.test(this.text)) throw this.refused("unknown-syntax", start);
        this.at = groupName.lastIndex;
      }
    }
    const item = this.choice();
    if (!this.take(")")) throw this.refused("unknown-syntax", start);
    this.depth--;
    // Kept apart, so that what counts it does not count its last item alone.
    return item.is === "sequence" && item.items.length === 0 ? nothing : item;
  }

  /** Behind a backslash outside of brackets. */
  private escape(start: number): Pattern {
    const next = this.text.charAt(this.at);
    if (next === "b" || next === "B") {
      this.at++;
      return { is: "assertion", of: next === "b" ? "boundary" : "no-boundary" };
    }
    if (/[1-9]/.test(next) || next === "k") throw this.refused("backreference", start);
    const escaped = this.escaped(start);
    return { is: "set", set: typeof escaped === "number" ? single(escaped) : escaped };
  }

  /** Behind a backslash: one code point, or a set of them. */
  private escaped(start: number): number | CharacterSet {
    const point = this.point();
    const letter = String.fromCodePoint(point);
    const set = classEscapes.get(letter);
    if (set !== undefined) return plain(set);
    const control = controlEscapes.get(letter);
    if (control !== undefined) return control;
    switch (letter) {
      case "p":
      case "P": {
        const name = this.matched(propertyBraces, start)[1] ?? "";
        const property = propertyNamed(name);
        if (property === undefined) throw this.refused("unknown-syntax", start);
        const negated = letter === "P";
        if (typeof property === "string")
          return { points: [], properties: [{ name: property, negated }], negated: false };
        return plain(negated ? complement(property) : property);
      }
      case "0":
        if (/[0-9]/.test(this.text.charAt(this.at))) throw this.refused("unknown-syntax", start);
        return 0;
      case "c":
        return (this.matched(controlLetter, start)[0]?.charCodeAt(0) ?? 0) % 32;
      case "x":
        return Number.parseInt(this.matched(twoHex, start)[0] ?? "", 16);
      case "u":
        return this.unicodeEscape(start);
      default:
        // An identity escape of a letter or digit is an order to some engine or other.
        if (/[0-9A-Za-z]/.test(letter)) throw this.refused("unknown-syntax", start);
        return point;
    }
  }

  private unicodeEscape(start: number): number {
    const [whole, braced, four = ""] = this.matched(unicodeDigits, start);
    if (whole === undefined) throw this.refused("unknown-syntax", start);
    const point = Number.parseInt(braced ?? four, 16);
    if (!(point <= 0x10ffff)) throw this.refused("unknown-syntax", start);
    if (braced !== undefined || point < 0xd800 || point > 0xdbff) return point;
    lowSurrogate.lastIndex = this.at;
    const low = lowSurrogate.exec(this.text)?.[1];
    if (low === undefined) return point;
    this.at = lowSurrogate.lastIndex;
    return (point - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00) + 0x10000;
  }

  private characterClass(start: number): CharacterSet {
    const negated = this.take("^");
    const points: CodePoints[] = [];
    const properties: CharacterSet["properties"][number][] = [];
    const add = (member: number | CharacterSet) => {
      if (typeof member === "number") points.push([[member, member]]);
      else {
        points.push(member.points);
        properties.push(...member.properties);
      }
    };
    while (!this.take("]")) {
      const low = this.classMember(start);
      if (!this.sees("-") || this.text.startsWith("-]", this.at)) {
        add(low);
        continue;
      }
      const dash = this.at++;
      const high = this.classMember(start);
      if (typeof low === "number" && typeof high === "number") {
        if (high < low) throw this.refused("unknown-syntax", dash);
        points.push([[low, high]]);
        continue;
      }
      // Annex B: beside a set the dash stands for itself.
      add(low);
      add(0x2d);
      add(high);
    }
    const all = union(...points);
    if (properties.length > 0) return { points: withoutSurrogates(all), properties, negated };
    return plain(negated ? complement(all) : all);
  }

  private classMember(start: number): number | CharacterSet {
    if (this.at >= this.text.length) throw this.refused("unknown-syntax", start);
    const at = this.at;
    const point = this.point();
    if (point === 0x5b && this.sees(":")) throw this.refused("unknown-syntax", at); // `[[:alpha:]]`
    if (point !== 0x5c) return point;
    if (this.take("b")) return 0x08;
    if (/[1-9]/.test(this.text.charAt(this.at))) throw this.refused("unknown-syntax", at);
    return this.escaped(at);
  }

  private point(): number {
    const point = this.text.codePointAt(this.at);
    if (point === undefined) throw this.refused("unknown-syntax");
    this.at += point > 0xffff ? 2 : 1;
    return point;
  }

  private matched(pattern: RegExp, start: number): RegExpExecArray {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) throw this.refused("unknown-syntax", start);
    this.at = pattern.lastIndex;
    return match;
  }

  private sees(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  private take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  private refused(because: PatternFault, at = this.at): Refused {
    return new Refused(because, at);
  }
}

function fromStart(pattern: Pattern): Pattern {
  return { is: "sequence", items: [{ is: "assertion", of: "start" }, pattern] };
}

function plain(points: CodePoints): CharacterSet {
  return { points: withoutSurrogates(points), properties: [], negated: false };
}

function single(point: number): CharacterSet {
  return plain([[point, point]]);
}

function setOf(points: CodePoints): Pattern {
  return { is: "set", set: plain(points) };
}

/** All sticky: they read from `lastIndex` and nowhere else. */
const counted = /\{([0-9]{1,9})(,([0-9]{0,9}))?\}/y;
const groupName = /<[A-Za-z_$][A-Za-z0-9_$]*>/y;
const propertyBraces = /\{([A-Za-z_=]{1,60})\}/y;
const controlLetter = /[A-Za-z]/y;
const twoHex = /[0-9A-Fa-f]{2}/y;
const unicodeDigits = /\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{4})/y;
const lowSurrogate = /\\u([dD][c-fC-F][0-9A-Fa-f]{2})/y;

const classEscapes: ReadonlyMap<string, CodePoints> = new Map([
  ["d", digits],
  ["D", complement(digits)],
  ["w", wordCharacters],
  ["W", complement(wordCharacters)],
  ["s", spaces],
  ["S", complement(spaces)],
]);

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
]);
