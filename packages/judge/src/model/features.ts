import { hashOf, mixed } from "./hash.ts";
import { classBits, classes, classesOf, common } from "./lexicon.ts";
import { classesElsewhere, isCommonElsewhere } from "./other-languages.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Features fall into so many buckets, each with a weight. */
export const buckets = 1 << 17;

/** The first of them are for what is told by classes of words and by shape; the others are for the words themselves. */
const structural = 1 << 13;

/** Whether a feature is told by classes of words and by shape, so that its name holds no word of the server's. */
export function isStructural(bucket: number): boolean {
  return bucket < structural;
}

/** What a feature is made of: equal parts in another sort are another feature. */
const sorts = {
  word: 1,
  start: 2,
  stem: 3,
  pair: 4,
  skip: 5,
  class: 6,
  order: 7,
  first: 8,
  name: 9,
  shape: 10,
  link: 11,
  beyond: 12,
  within: 13,
} as const;
type Sort = keyof typeof sorts;

function bucketOf(sort: Sort, one: number, other: number): number {
  const hash = mixed(sorts[sort], one, other);
  return sorts[sort] > sorts.skip ? hash % structural : structural + (hash % (buckets - structural));
}

/** What a name in a clause is, in the place where it stands. */
export type NameSort = "itself" | "sibling" | "argument" | "foreign" | "unknown";

/** Is told each feature of a stretch, and what it is made of: see `sentenceOf`. */
export type Visit = (bucket: number, sort: Sort, first: string, second: string) => void;

/** What the features of a place are made from. */
export interface Told {
  /** Names that stand in the stretch, for `nameFeatures`. Server-controlled. */
  readonly names: readonly string[];
  /** Bit set over `classes`. */
  readonly classes: number;
}

/** Which features the present stretch has had: a number for each stretch, so that nothing need be cleared. */
const had = new Uint32Array(buckets);
let stretch = 0;

/**
 * What the model knows of a stretch: its words, their stems and neighbours; which classes of words it holds, and in which
 * order; how it begins; and its shape. No feature is told twice.
 *
 * @param written the stretch as its server wrote it
 */
export function ownFeatures(tokens: readonly Token[], written: string, visit: Visit): Told {
  stretch = stretch === 0xffffffff ? 1 : stretch + 1;
  if (stretch === 1) had.fill(0);
  const add = (sort: Sort, one: number, other: number, first = "", second = "") => {
    const bucket = bucketOf(sort, one, other);
    if (had[bucket] === stretch) return;
    had[bucket] = stretch;
    visit(bucket, sort, first, second);
  };
  const isEnglish = soundsEnglish(tokens);
  const names: string[] = [];
  const seen: number[] = [];
  let bits = 0;
  let [before, earlier] = ["", ""];
  let [hashBefore, hashEarlier] = [0, 0];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    const shown = token.sort === "name" ? "<name>" : token.text;
    const hash = hashOf(shown);
    if (token.sort === "name") names.push(token.text);
    else add("word", hash, 0, shown);
    if (at === 0) add("start", hash, 0, shown);
    // Signs overlap already.
    if (token.sort === "signs") continue;
    if (token.sort === "word" && shown.length > 5) {
      const stem = shown.slice(0, shown.charCodeAt(0) < 0x250 ? 5 : 4);
      add("stem", hashOf(stem), 0, stem);
    }
    if (at > 0) add("pair", hashBefore, hash, before, shown);
    if (at > 1) add("skip", hashEarlier, hash, earlier, shown);
    [earlier, before, hashEarlier, hashBefore] = [before, shown, hashBefore, hash];
    const classed = classesOfToken(token, isEnglish);
    for (let left = classed; left !== 0; left &= left - 1) {
      const one = lowest(left);
      if (at < 2) add("first", one, at, nameOf(one));
      if (((bits >>> one) & 1) !== 0) continue;
      add("class", one, 0, nameOf(one));
      for (const other of seen) add("order", other, one, nameOf(other), nameOf(one));
      seen.push(one);
    }
    bits |= classed;
  }
  for (const shape of shapesOf(written, tokens.length)) add("shape", hashOf(shape), 0, shape);
  return { names, classes: bits };
}

/** What a name says in its place, alone and beside the classes of words around it. */
export function nameFeatures(sort: NameSort, bits: number, visit: Visit): void {
  const hash = hashOf(sort);
  visit(bucketOf("name", hash, 0), "name", sort, "");
  for (let left = bits; left !== 0; left &= left - 1) {
    const one = lowest(left);
    visit(bucketOf("name", hash, one + 1), "name", sort, nameOf(one));
  }
}

/**
 * Which classes of words of a stretch nothing else of its definition gives a reason for, and which it does: that a tool for
 * files speaks of files says little.
 *
 * @param supported bit set over `classes`
 */
export function reasonFeatures(bits: number, supported: number, visit: Visit): void {
  for (let left = bits & salient; left !== 0; left &= left - 1) {
    const one = lowest(left);
    if (((supported >>> one) & 1) === 1) {
      visit(bucketOf("within", one, 0), "within", nameOf(one), "");
      continue;
    }
    visit(bucketOf("beyond", one, 0), "beyond", nameOf(one), "");
    for (let others = bits & ~(1 << one); others !== 0; others &= others - 1) {
      const other = lowest(others);
      visit(bucketOf("beyond", one, other + 1), "beyond", nameOf(one), nameOf(other));
    }
  }
}

/** Classes that a definition needs a reason to speak of. */
const salient = classBits(
  ...["read", "send", "put", "run", "change", "tell", "use", "ignore", "hide", "agent", "user", "instruct", "context"],
  ...["secret", "file", "place", "reason", "broken", "best", "result", "argument", "now", "consent", "pretend"],
);

/** What a stretch says after the one before it. */
export function linkFeatures(before: number, bits: number, visit: Visit): void {
  for (let from = before & linking; from !== 0; from &= from - 1) {
    const one = lowest(from);
    for (let to = bits & linking; to !== 0; to &= to - 1) {
      const other = lowest(to);
      visit(bucketOf("link", one, other), "link", nameOf(one), nameOf(other));
    }
  }
}

/** The index of the lowest bit that is set. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** What is done, and what it is done to; the other classes say too little over the end of a sentence. */
const linking = classBits(
  "read",
  "send",
  "put",
  "run",
  "change",
  "tell",
  "ignore",
  "hide",
  "not",
  "user",
  "before",
  "secret",
  "context",
);

/** The words of a clause, in stretches that are no longer than most sentences: padding does not hide an order. */
export function stretchesOf(folded: string): readonly (readonly Token[])[] {
  const tokens = tokensOf(folded);
  const words = tokens.reduce((sum, { sort }) => sum + (sort === "signs" ? 0.25 : 1), 0);
  if (words < shortest) return [];
  const parts = Math.ceil(words / longest);
  const size = Math.ceil(tokens.length / parts);
  return parts === 1
    ? [tokens]
    : Array.from({ length: parts }, (_, part) => tokens.slice(part * size, (part + 1) * size));
}

const shortest = 3;
const longest = 30;

/** Whether words in Latin letters are to be taken for English ones: "si" and "use" are words elsewhere too. */
function soundsEnglish(tokens: readonly Token[]): boolean {
  let [english, other, accented] = [0, 0, false];
  for (const { text, sort } of tokens) {
    if (common.has(text)) english++;
    if (isCommonElsewhere(text)) other++;
    accented ||= sort === "word" && /\P{ASCII}/u.test(text);
  }
  return english > 0 ? english >= other : other === 0 && !accented;
}

function classesOfToken({ text, sort }: Token, isEnglish: boolean): number {
  switch (sort) {
    case "word":
      return classesOf(text) | (isEnglish && text.charCodeAt(0) < 0x80 ? 0 : classesElsewhere(text));
    case "mark":
      return marks.get(text) ?? 0;
    case "name":
    case "signs":
      return 0;
  }
}

const marks: ReadonlyMap<string, number> = new Map([
  ["<url>", classBits("place")],
  ["<email>", classBits("place")],
  ["<path>", classBits("file")],
  ["<secret path>", classBits("file", "secret")],
]);

function nameOf(index: number): string {
  return classes[index] ?? "";
}

function shapesOf(written: string, tokens: number): readonly string[] {
  const shapes: string[] = [];
  const { shouted, marks, commas, colons, signs, angles, brackets } = countsIn(written);
  if (shouted > 0) shapes.push(shouted > 2 ? "much in capitals" : "a word in capitals");
  if (marks > 0) shapes.push("an exclamation mark");
  if (angles > 0 && /<\/?[a-z][\w -]{1,30}>/i.test(written)) shapes.push("a tag");
  if (brackets > 0 && /\[\/?[A-Z][\w -]{1,30}\]/.test(written)) shapes.push("a tag in brackets");
  if (/^\s*(?:[#>*-]|\d+[.)])/.test(written)) shapes.push("an item of a list");
  if (shouted > 0 && colons > 0 && /^\s*[A-Z][A-Z ]{3,40}:/.test(written)) shapes.push("a heading in capitals");
  if (commas >= 4 && commas * 4 >= tokens) shapes.push(commas * 2 >= tokens ? "a list of words" : "a list");
  if (colons >= 2) shapes.push(colons > 3 ? "many colons" : "colons");
  if (signs >= 3) shapes.push(signs > 8 ? "much code" : "code");
  shapes.push(tokens < 4 ? "very short" : tokens < 9 ? "short" : tokens < 25 ? "of usual length" : "long");
  return shapes;
}

/** How many words in capitals a text has, and how many marks of some sorts. */
function countsIn(text: string) {
  const counts = { shouted: 0, marks: 0, commas: 0, colons: 0, signs: 0, angles: 0, brackets: 0 };
  let capitals = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x41 && code <= 0x5a) {
      capitals++;
      continue;
    }
    const inWord = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
    if (capitals > 2 && !inWord) counts.shouted++;
    // Capitals behind other letters are no word of their own.
    capitals = inWord ? Number.NEGATIVE_INFINITY : 0;
    if (inWord) continue;
    switch (code) {
      case 0x21:
        counts.marks++;
        break;
      case 0x2c:
        counts.commas++;
        break;
      case 0x3a:
        counts.colons++;
        break;
      case 0x3c:
        counts.angles++;
        break;
      case 0x5b:
        counts.brackets++;
        counts.signs++;
        break;
      case 0x22:
      case 0x3d:
      case 0x5d:
      case 0x7b:
      case 0x7c:
      case 0x7d:
        counts.signs++;
        break;
    }
  }
  return counts;
}

/** A feature in words. Structural ones hold none of the server. */
export function sentenceOf(sort: Sort, first: string, second: string): string {
  switch (sort) {
    case "word":
      return JSON.stringify(first);
    case "start":
      return `begins ${JSON.stringify(first)}`;
    case "stem":
      return JSON.stringify(`${first}-`);
    case "pair":
      return JSON.stringify(`${first} ${second}`);
    case "skip":
      return JSON.stringify(`${first} _ ${second}`);
    case "class":
      return `a word of ${first}`;
    case "order":
      return `${first}, then ${second}`;
    case "first":
      return `begins with ${first}`;
    case "name":
      return second === "" ? `a name (${first})` : `a name (${first}) beside ${second}`;
    case "beyond":
      return second === "" ? `${first}, for no reason` : `${first}, for no reason, beside ${second}`;
    case "within":
      return `${first}, for a reason`;
    case "shape":
      return first;
    case "link":
      return `${first}, then in the next sentence ${second}`;
  }
}
