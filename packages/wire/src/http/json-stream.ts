import { jsonLimits } from "@countersign/core";

/** What becomes of a member's value: it passes; it is held until it is whole; or it is the object whose members are asked about. */
export type Lot = "passes" | "held" | "opened";

/** Says what becomes of the members of one message, and of those of the one value in it that is opened. May throw. */
export interface JsonWatcher {
  /** @param depth how many objects the member is in: 1 or 2 */
  readonly member: (depth: number, key: string) => Lot;
  /** A held value, whole. What passes in its place; nothing at depth 1. */
  readonly held: (text: string) => string | undefined;
  /** The object that is opened begins: what goes before it. */
  readonly opens: () => string;
}

export interface JsonStreamLimits {
  /** Bytes of the whole text. */
  readonly bytes: number;
  /** Bytes of one key, and of one value that is held. */
  readonly held: number;
  /** What the keys of all objects that are open may take, so that a second of one name is found. About bytes of memory. */
  readonly keys: number;
}

/** Why a text is not read on: what `readJson` says of one that is whole. */
export class JsonStreamFault extends Error {
  readonly code:
    | "NOT_JSON"
    | "BAD_UTF8"
    | "LONE_SURROGATE"
    | "DUPLICATE_KEY"
    | "TOO_DEEP"
    | "NUMBER_TOO_LONG"
    | "TOO_LARGE"
    | "BATCH"
    | "NOT_JSON_RPC";

  constructor(code: JsonStreamFault["code"]) {
    super(code);
    this.code = code;
  }
}

/**
 * Reads one object of any length as it comes, as strictly as `readJson` does, and keeps of it only what was opened: on one
 * line for every reader (see `oneLine`), otherwise as it was spelled. Whoever sends it may be hostile, and pieces may end
 * anywhere. Memory: one piece, one key, one held value, and the keys of the objects that are open.
 */
export class JsonStream {
  readonly #watcher: JsonWatcher;
  readonly #limits: JsonStreamLimits;
  /** The piece that is read, behind what was left of the last one. */
  #bytes: Buffer = none;
  #at = 0;
  /** What was read, but not yet kept, held or dropped, begins here. */
  #from = 0;
  #isOwn = false;
  /** A number, a word, an escape or a character of which the last piece held only the beginning. */
  #rest: Buffer = none;
  #total = 0;
  #next: Next = "message";
  #inside: "nothing" | "text" | "key" = "nothing";
  #sink: "drops" | "keeps" | "holds" = "drops";
  #lot: Lot = "passes";
  #opened = false;
  #holdsAt = 0;
  readonly #value: Hold;
  readonly #key: Hold;
  /** In `#bytes`; -1 behind the first piece of a key that came in several. */
  #keyFrom = 0;
  #keyIsPlain = true;
  readonly #isObject: boolean[] = [];
  readonly #openKeys: OpenKeys[] = [];
  #depth = 0;
  #keysWeight = 0;
  /** What is kept, in parts; and many of them at once, copied, because each part takes more memory than a short one holds. */
  #parts: Buffer[] = [];
  #kept: Buffer[] = [];
  readonly #texts = new KeyTexts();

  constructor(watcher: JsonWatcher, limits: JsonStreamLimits) {
    this.#watcher = watcher;
    this.#limits = limits;
    this.#value = new Hold(limits.held);
    this.#key = new Hold(limits.held);
  }

  /** Throws a `JsonStreamFault`, or what the watcher throws. Then nothing of this piece is to be used. */
  push(piece: Uint8Array): void {
    this.#total += piece.length;
    if (this.#total > this.#limits.bytes) throw new JsonStreamFault("TOO_LARGE");
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    this.#isOwn = this.#rest.length > 0;
    this.#bytes = this.#isOwn ? Buffer.concat([this.#rest, bytes]) : bytes;
    this.#rest = none;
    this.#at = 0;
    this.#from = 0;
    this.#keyFrom = this.#inside === "key" ? -1 : 0;
    this.#read();
    if (this.#at < this.#bytes.length) this.#rest = Buffer.from(this.#bytes.subarray(this.#at));
    if (this.#inside === "key") this.#key.add(this.#bytes.subarray(Math.max(0, this.#keyFrom), this.#at));
    this.#settle(this.#at);
    this.#bytes = none;
  }

  /** What is kept of all that was read since the last time. */
  take(): Buffer | undefined {
    const kept = [...this.#kept, ...this.#parts];
    this.#kept = [];
    this.#parts = [];
    return kept.length > 1 ? Buffer.concat(kept) : kept[0];
  }

  /** Whether the object has ended, and nothing but white space came behind it. */
  get isWhole(): boolean {
    return this.#next === "nothing";
  }

  /** Until the piece ends, or a token that goes on in the next one. */
  #read(): void {
    while (this.#at < this.#bytes.length) {
      if (this.#inside !== "nothing") {
        if (!this.#goOn()) return;
        continue;
      }
      const byte = this.#bytes[this.#at] as number;
      if (byte === 0x20 || byte === 0x09) this.#at++;
      else if (byte === 0x0a || byte === 0x0d) this.#lineEnd();
      else if (!this.#token(byte)) return;
    }
  }

  /** False: the piece ends within it. */
  #token(byte: number): boolean {
    switch (this.#next) {
      case "message":
        if (byte !== openObject) throw new JsonStreamFault(byte === openArray ? "BATCH" : "NOT_JSON_RPC");
        this.#enter(true);
        return true;
      case "value or end":
        if (byte === closeArray) this.#leave(byte);
        else return this.#begin(byte);
        return true;
      case "value":
        return this.#begin(byte);
      case "key or end":
        if (byte === closeObject) this.#leave(byte);
        else this.#beginKey(byte);
        return true;
      case "key":
        this.#beginKey(byte);
        return true;
      case "colon":
        if (byte !== 0x3a) throw new JsonStreamFault("NOT_JSON");
        this.#at++;
        this.#next = "value";
        return true;
      case "comma or end":
        if (byte !== 0x2c) this.#leave(byte);
        else {
          this.#at++;
          this.#next = this.#isObject[this.#depth] === true ? "key" : "value";
        }
        return true;
      case "nothing":
        throw new JsonStreamFault("NOT_JSON");
    }
  }

  #begin(byte: number): boolean {
    if (this.#lot !== "passes") this.#beginWatched(byte);
    switch (byte) {
      case quote:
        this.#at++;
        this.#inside = "text";
        return true;
      case openObject:
        this.#enter(true);
        return true;
      case openArray:
        this.#enter(false);
        return true;
      default: {
        const word = words.get(byte);
        const end = word === undefined ? endOfNumber(this.#bytes, this.#at) : endOfWord(this.#bytes, this.#at, word);
        if (end === more) return false;
        this.#at = end;
        this.#ended();
        return true;
      }
    }
  }

  #beginWatched(byte: number): void {
    this.#settle(this.#at);
    if (this.#lot === "held") {
      this.#sink = "holds";
      this.#holdsAt = this.#depth;
    } else {
      if (byte !== openObject) throw new JsonStreamFault("NOT_JSON_RPC");
      this.#keep(Buffer.from(this.#watcher.opens()));
      this.#sink = "keeps";
      this.#opened = true;
    }
    this.#lot = "passes";
  }

  #beginKey(byte: number): void {
    if (byte !== quote) throw new JsonStreamFault("NOT_JSON");
    this.#inside = "key";
    this.#keyIsPlain = true;
    this.#keyFrom = ++this.#at;
  }

  #enter(isObject: boolean): void {
    if (this.#depth >= jsonLimits.depth) throw new JsonStreamFault("TOO_DEEP");
    this.#at++;
    this.#depth++;
    this.#isObject[this.#depth] = isObject;
    this.#openKeys[this.#depth] ??= new OpenKeys();
    this.#next = isObject ? "key or end" : "value or end";
  }

  #leave(byte: number): void {
    if (byte !== (this.#isObject[this.#depth] === true ? closeObject : closeArray))
      throw new JsonStreamFault("NOT_JSON");
    this.#at++;
    this.#keysWeight -= this.#openKeys[this.#depth]?.clear() ?? 0;
    this.#depth--;
    if (this.#opened && this.#depth === 1) {
      this.#settle(this.#at);
      this.#sink = "drops";
      this.#opened = false;
    }
    this.#ended();
  }

  /** A value has. */
  #ended(): void {
    if (this.#sink === "holds" && this.#depth === this.#holdsAt) {
      this.#settle(this.#at);
      this.#sink = this.#depth === 1 ? "drops" : "keeps";
      const instead = this.#watcher.held(this.#value.take().toString());
      if (instead !== undefined) this.#keep(Buffer.from(instead));
    }
    this.#next = this.#depth === 0 ? "nothing" : "comma or end";
  }

  /** Reads on in a text or a key. False: it goes on in the next piece. */
  #goOn(): boolean {
    if (!this.#string()) return false;
    const isKey = this.#inside === "key";
    this.#inside = "nothing";
    if (isKey) {
      this.#next = "colon";
      this.#member(this.#keyText());
    } else this.#ended();
    return true;
  }

  /** To behind the closing quote. False: the piece ends before. */
  #string(): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    for (;;) {
      at = behindPlain(bytes, at);
      const byte = bytes[at];
      if (byte === undefined) break;
      if (byte === quote) {
        this.#at = at + 1;
        return true;
      }
      if (byte < 0x20) throw new JsonStreamFault("NOT_JSON");
      this.#keyIsPlain = false;
      const length = byte === backslash ? escapeAt(bytes, at) : characterAt(bytes, at);
      if (length === more) break;
      const respelled = byte < 0x80 ? undefined : separatorAt(bytes, at);
      if (respelled !== undefined && this.#sink === "keeps") {
        this.#settle(at);
        this.#keep(respelled);
        this.#from = at + length;
      }
      at += length;
    }
    this.#at = at;
    return false;
  }

  #keyText(): string {
    const end = this.#at - 1;
    if (this.#keyFrom >= 0) {
      if (end - this.#keyFrom > this.#limits.held) throw new JsonStreamFault("TOO_LARGE");
      if (this.#keyIsPlain) return this.#texts.of(this.#bytes, this.#keyFrom, end);
    } else this.#key.add(this.#bytes.subarray(0, end));
    const spelled = this.#keyFrom >= 0 ? this.#bytes.subarray(this.#keyFrom, end) : this.#key.take();
    return this.#keyIsPlain ? spelled.toString("latin1") : JSON.parse(`"${spelled.toString()}"`);
  }

  #member(key: string): void {
    const weight = this.#openKeys[this.#depth]?.add(key);
    if (weight === undefined) throw new JsonStreamFault("DUPLICATE_KEY");
    this.#keysWeight += weight;
    if (this.#keysWeight > this.#limits.keys) throw new JsonStreamFault("TOO_LARGE");
    if (this.#depth === 1 || (this.#depth === 2 && this.#opened)) this.#lot = this.#watcher.member(this.#depth, key);
  }

  /** Between tokens a space is as good. */
  #lineEnd(): void {
    if (this.#sink === "keeps") {
      if (!this.#isOwn) this.#bytes = Buffer.from(this.#bytes);
      this.#isOwn = true;
      this.#bytes[this.#at] = 0x20;
    }
    this.#at++;
  }

  /** What was read up to here goes where it belongs. */
  #settle(to: number): void {
    if (to > this.#from) {
      const bytes = this.#bytes.subarray(this.#from, to);
      switch (this.#sink) {
        case "keeps":
          this.#keep(bytes);
          break;
        case "holds":
          this.#value.add(bytes);
          break;
        case "drops":
      }
    }
    this.#from = to;
  }

  #keep(bytes: Buffer): void {
    this.#parts.push(bytes);
    if (this.#parts.length < mostParts) return;
    this.#kept.push(Buffer.concat(this.#parts));
    this.#parts = [];
  }
}

type Next = "message" | "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

/** Bytes that come in pieces, copied: a piece of one byte may be a part of a large buffer. */
class Hold {
  readonly #most: number;
  #bytes: Buffer = none;
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#most) throw new JsonStreamFault("TOO_LARGE");
    if (length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.min(this.#most, Math.max(256, 2 * length)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Until something is added again. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}

/** The keys of one object that is open. */
class OpenKeys {
  readonly #few: string[] = [];
  /** Made when the object has outgrown a linear search. */
  #many: Set<string> | undefined;
  #weight = 0;

  /** About the memory that it takes; undefined where it is there already. */
  add(key: string): number | undefined {
    if (this.#many === undefined) {
      if (this.#few.includes(key)) return undefined;
      this.#few.push(key);
      if (this.#few.length > 12) this.#many = new Set(this.#few);
    } else {
      if (this.#many.has(key)) return undefined;
      this.#many.add(key);
    }
    const weight = 64 + 2 * key.length;
    this.#weight += weight;
    return weight;
  }

  clear(): number {
    const weight = this.#weight;
    this.#few.length = 0;
    this.#many = undefined;
    this.#weight = 0;
    return weight;
  }
}

/** The texts of short keys that came lately, so that those of a million rows are not made a million times. */
class KeyTexts {
  readonly #texts: (string | undefined)[] = new Array(256).fill(undefined);

  /** @param from of bytes that each stand for one character */
  of(bytes: Buffer, from: number, end: number): string {
    const length = end - from;
    if (length > 32) return bytes.toString("latin1", from, end);
    const slot =
      (length +
        7 * ((bytes[from] as number) & 0xff) +
        31 * ((bytes[end - 1] as number) & 0xff) +
        (bytes[from + (length >> 1)] as number)) &
      0xff;
    const known = this.#texts[slot];
    if (known !== undefined && spells(bytes, from, known, length)) return known;
    const text = bytes.toString("latin1", from, end);
    this.#texts[slot] = text;
    return text;
  }
}

function spells(bytes: Buffer, from: number, text: string, length: number): boolean {
  if (text.length !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Most of a large answer is read here, four bytes at a time. */
function behindPlain(bytes: Buffer, start: number): number {
  let at = start;
  if (isPlain(bytes[at]) === 0) return at;
  const last = bytes.length - 4;
  while (
    at <= last &&
    (isPlain(bytes[at]) & isPlain(bytes[at + 1]) & isPlain(bytes[at + 2]) & isPlain(bytes[at + 3])) === 1
  )
    at += 4;
  while (isPlain(bytes[at]) === 1) at++;
  return at;
}

/** 1 for a byte that stands for itself in a string. */
function isPlain(byte: number | undefined): number {
  return plain[byte ?? 0] ?? 0;
}

/** The length of the escape that begins here, both halves of a pair taken together. */
function escapeAt(bytes: Buffer, at: number): number {
  const letter = bytes[at + 1];
  if (letter === undefined) return more;
  if (letter !== 0x75) {
    if (plainEscapes.has(letter)) return 2;
    throw new JsonStreamFault("NOT_JSON");
  }
  const unit = unitAt(bytes, at + 2);
  if (unit === more) return more;
  if (unit < 0xd800 || unit > 0xdfff) return 6;
  if (unit > 0xdbff) throw new JsonStreamFault("LONE_SURROGATE");
  for (const [offset, byte] of [backslash, 0x75].entries()) {
    const next = bytes[at + 6 + offset];
    if (next === undefined) return more;
    if (next !== byte) throw new JsonStreamFault("LONE_SURROGATE");
  }
  const low = unitAt(bytes, at + 8);
  if (low === more) return more;
  if (low < 0xdc00 || low > 0xdfff) throw new JsonStreamFault("LONE_SURROGATE");
  return 12;
}

/** What four hexadecimal digits say. */
function unitAt(bytes: Buffer, at: number): number {
  let unit = 0;
  for (let index = at; index < at + 4; index++) {
    const byte = bytes[index];
    if (byte === undefined) return more;
    const digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
    if (digit < 0 || digit > 15 || (byte > 0x39 && digit < 10)) throw new JsonStreamFault("NOT_JSON");
    unit = unit * 16 + digit;
  }
  return unit;
}

/** The length of the character outside ASCII that begins here: the well-formed sequences of Unicode, table 3-7. */
function characterAt(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length === 0) throw new JsonStreamFault("BAD_UTF8");
  for (let offset = 1; offset < length; offset++) {
    const byte = bytes[at + offset];
    if (byte === undefined) return more;
    let [low, high] = [0x80, 0xbf];
    if (offset === 1) {
      if (lead === 0xe0) low = 0xa0;
      else if (lead === 0xed) high = 0x9f;
      else if (lead === 0xf0) low = 0x90;
      else if (lead === 0xf4) high = 0x8f;
    }
    if (byte < low || byte > high) throw new JsonStreamFault("BAD_UTF8");
  }
  return length;
}

/** The escape for a character that some reader takes for a line's end: U+0085, U+2028, U+2029. */
function separatorAt(bytes: Buffer, at: number): Buffer | undefined {
  if (bytes[at] === 0xc2) return bytes[at + 1] === 0x85 ? nextLine : undefined;
  if (bytes[at] !== 0xe2 || bytes[at + 1] !== 0x80) return undefined;
  return bytes[at + 2] === 0xa8 ? lineSeparator : bytes[at + 2] === 0xa9 ? paragraphSeparator : undefined;
}

function endOfWord(bytes: Buffer, start: number, word: Buffer): number {
  for (const [offset, byte] of word.entries()) {
    const next = bytes[start + offset];
    if (next === undefined) return more;
    if (next !== byte) throw new JsonStreamFault("NOT_JSON");
  }
  return start + word.length;
}

/** RFC 8259 §6. A number ends where something else begins, so not with the piece. */
function endOfNumber(bytes: Buffer, start: number): number {
  let at = start;
  if (bytes[at] === 0x2d) at++;
  if (bytes[at] === 0x30) at++;
  else at = behindDigits(bytes, at);
  if (bytes[at] === 0x2e) at = behindDigits(bytes, at + 1);
  const exponent = bytes[at];
  if (exponent === 0x65 || exponent === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    at = behindDigits(bytes, at);
  }
  if (at - start > jsonLimits.number) throw new JsonStreamFault("NUMBER_TOO_LONG");
  return at < bytes.length ? at : more;
}

/** At least one, unless the piece ends. */
function behindDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && ((bytes[at] as number) ^ 0x30) < 10) at++;
  if (at === start && at < bytes.length) throw new JsonStreamFault("NOT_JSON");
  return at;
}

/** The piece ends too early. */
const more = -1;
const quote = 0x22;
const backslash = 0x5c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const mostParts = 1_024;
const none = Buffer.alloc(0);
const nextLine = Buffer.from("\\u0085");
const lineSeparator = Buffer.from("\\u2028");
const paragraphSeparator = Buffer.from("\\u2029");
const words: ReadonlyMap<number, Buffer> = new Map(
  ["true", "false", "null"].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);
const plainEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== quote && byte !== backslash ? 1 : 0,
);
