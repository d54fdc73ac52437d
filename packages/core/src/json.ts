/**
 * JSON as it was written. `JSON.parse` keeps the last of two equal keys, rounds numbers and moves integer-like keys to
 * the front; a gate that reads that way approves one document while a host reads another. This reader keeps every
 * member in order, every number as its token and the place of everything in the text, and refuses what two readers
 * could understand differently.
 */
export type Json =
  | { readonly is: "null"; readonly start: number; readonly end: number }
  | { readonly is: "boolean"; readonly start: number; readonly end: number; readonly value: boolean }
  | { readonly is: "number"; readonly start: number; readonly end: number; readonly token: string }
  | { readonly is: "string"; readonly start: number; readonly end: number; readonly value: string }
  | { readonly is: "array"; readonly start: number; readonly end: number; readonly items: readonly Json[] }
  | { readonly is: "object"; readonly start: number; readonly end: number; readonly members: readonly Member[] };

/** An object, with its members in the order in which they stand. */
export type JsonObject = Extract<Json, { is: "object" }>;

/** A key and its value. `start` is the offset of the key's opening quote. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: Json;
}

/** Offsets (`start`, `end`, `at`) count UTF-16 code units of the text that was read. */
export type JsonReading =
  | { readonly is: "json"; readonly json: Json }
  | { readonly is: "refused"; readonly refusal: JsonRefusal };

/** Why a text is not read, and where. */
export interface JsonRefusal {
  readonly code:
    | "NOT_JSON"
    | "DUPLICATE_KEY"
    | "LONE_SURROGATE"
    | "TOO_LARGE"
    | "TOO_DEEP"
    | "TOO_MANY_NODES"
    | "NUMBER_TOO_LONG";
  readonly at: number;
}

/** Bounds of a text that is read at all. */
export interface JsonLimits {
  /** Code units of text. */
  readonly length: number;
  /**
   * Containers within containers; an empty one counts. Everything downstream recurses on the tree, so this also bounds
   * the stack.
   */
  readonly depth: number;
  /** Values of any type, and keys. */
  readonly nodes: number;
  /** Characters of one number. */
  readonly number: number;
  /**
   * Code units of the keys above every value and key, together. Findings and drift carry pointers; one key of a megabyte
   * above a hundred thousand values would make them a hundred gigabytes.
   */
  readonly paths: number;
}

/** The deepest of 991 captured definitions has 11 levels; the largest list of one server is 0.9 MB. */
export const jsonLimits: JsonLimits = {
  length: 16 * 1024 * 1024,
  depth: 128,
  nodes: 400_000,
  number: 1_024,
  paths: 64 * 1024 * 1024,
};

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that UTF-8 bytes spell. Overlong forms, surrogates and truncated sequences are no UTF-8; a byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface OpenArray {
  readonly is: "array";
  readonly start: number;
  readonly items: Json[];
}
interface OpenObject {
  readonly is: "object";
  readonly start: number;
  readonly members: Member[];
  /** Made when the object has outgrown a linear search. */
  seen: Set<string> | undefined;
  key: string;
  keyStart: number;
  /** How many nodes were read before the key. */
  keyNodes: number;
}

class Refused extends Error {
  readonly refusal: JsonRefusal;

  constructor(refusal: JsonRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** Reads one JSON text (RFC 8259). The stack is a list, so depth costs memory and never the call stack. */
export function readJson(text: string, limits: JsonLimits = jsonLimits): JsonReading {
  if (text.length > limits.length) return refused("TOO_LARGE", 0);
  if (!text.isWellFormed()) return refused("LONE_SURROGATE", 0);
  const tooMany = nodeTooMany(text, limits.nodes);
  if (tooMany !== undefined) return refused("TOO_MANY_NODES", tooMany);
  try {
    return { is: "json", json: new Reader(text, limits).read() };
  } catch (error) {
    if (error instanceof Refused) return { is: "refused", refusal: error.refusal };
    throw error;
  }
}

/**
 * Where the token begins that is one node too many. What is refused for it was never built: a tree is many times as large
 * as its text. Looks at long texts only, because every node but the last takes two characters.
 */
function nodeTooMany(text: string, limit: number): number | undefined {
  if (text.length < 2 * limit) return undefined;
  let nodes = 0;
  let inScalar = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const separates = code === 0x2c || code === 0x3a || code === 0x7d || code === 0x5d || code <= 0x20;
    const stands = code === 0x22 || code === 0x7b || code === 0x5b;
    if (stands || !(separates || inScalar)) nodes++;
    if (nodes > limit) return at;
    inScalar = !(separates || stands);
    if (code === 0x22) at = endOfString(text, at);
  }
  return undefined;
}

/** Of the quote that closes the string which begins at `start`, or of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slash = end;
    while (text.charCodeAt(slash - 1) === 0x5c) slash--;
    if ((end - slash) % 2 === 0) return end;
  }
  return text.length;
}

class Reader {
  private at = 0;
  private nodes = 0;
  private paths = 0;

  private readonly text: string;
  private readonly limits: JsonLimits;

  constructor(text: string, limits: JsonLimits) {
    this.text = text;
    this.limits = limits;
  }

  read(): Json {
    const open: (OpenArray | OpenObject)[] = [];
    for (;;) {
      this.blank();
      let value = this.value(open);
      if (value === undefined) continue;
      for (;;) {
        const parent = open.at(-1);
        if (parent === undefined) {
          this.blank();
          if (this.at !== this.text.length) throw this.fail("NOT_JSON");
          return value;
        }
        const closed = this.place(parent, value);
        if (closed === undefined) break;
        open.pop();
        value = closed;
      }
    }
  }

  /** Reads a scalar or an empty container; of any other container only the beginning, pushed on `open`. */
  private value(open: (OpenArray | OpenObject)[]): Json | undefined {
    if (++this.nodes > this.limits.nodes) throw this.fail("TOO_MANY_NODES");
    const start = this.at;
    switch (this.text.charCodeAt(start)) {
      case 0x22: {
        const value = this.string();
        return { is: "string", start, end: this.at, value };
      }
      case 0x7b: {
        this.enter(open);
        if (this.text.charCodeAt(this.at) === 0x7d) return { is: "object", start, end: ++this.at, members: [] };
        const object: OpenObject = {
          is: "object",
          start,
          members: [],
          seen: undefined,
          key: "",
          keyStart: 0,
          keyNodes: 0,
        };
        open.push(object);
        this.key(object);
        return undefined;
      }
      case 0x5b: {
        this.enter(open);
        if (this.text.charCodeAt(this.at) === 0x5d) return { is: "array", start, end: ++this.at, items: [] };
        open.push({ is: "array", start, items: [] });
        return undefined;
      }
      case 0x74:
        this.word("true");
        return { is: "boolean", start, end: this.at, value: true };
      case 0x66:
        this.word("false");
        return { is: "boolean", start, end: this.at, value: false };
      case 0x6e:
        this.word("null");
        return { is: "null", start, end: this.at };
      default: {
        const token = this.number();
        return { is: "number", start, end: this.at, token };
      }
    }
  }

  /** Puts a finished value into its parent; returns the parent when this was its last. */
  private place(parent: OpenArray | OpenObject, value: Json): Json | undefined {
    if (parent.is === "array") parent.items.push(value);
    else {
      parent.members.push({ key: parent.key, start: parent.keyStart, value });
      this.paths += parent.key.length * (this.nodes - parent.keyNodes);
      if (this.paths > this.limits.paths) throw this.fail("TOO_LARGE", parent.keyStart);
    }
    this.blank();
    const next = this.text.charCodeAt(this.at);
    if (next === 0x2c) {
      this.at++;
      if (parent.is === "object") {
        this.blank();
        this.key(parent);
      }
      return undefined;
    }
    if (next !== (parent.is === "array" ? 0x5d : 0x7d)) throw this.fail("NOT_JSON");
    const end = ++this.at;
    return parent.is === "array"
      ? { is: "array", start: parent.start, end, items: parent.items }
      : { is: "object", start: parent.start, end, members: parent.members };
  }

  /** Steps into a container, which counts even when it turns out to be empty. */
  private enter(open: readonly unknown[]): void {
    if (open.length >= this.limits.depth) throw this.fail("TOO_DEEP");
    this.at++;
    this.blank();
  }

  private key(object: OpenObject): void {
    object.keyNodes = this.nodes;
    if (++this.nodes > this.limits.nodes) throw this.fail("TOO_MANY_NODES");
    const start = this.at;
    if (this.text.charCodeAt(start) !== 0x22) throw this.fail("NOT_JSON");
    const key = this.string();
    if (this.has(object, key)) throw this.fail("DUPLICATE_KEY", start);
    object.seen?.add(key);
    object.key = key;
    object.keyStart = start;
    this.blank();
    if (this.text.charCodeAt(this.at) !== 0x3a) throw this.fail("NOT_JSON");
    this.at++;
  }

  private has(object: OpenObject, key: string): boolean {
    if (object.seen !== undefined) return object.seen.has(key);
    if (object.members.length < 12) return object.members.some((member) => member.key === key);
    object.seen = new Set(object.members.map((member) => member.key));
    return object.seen.has(key);
  }

  private string(): string {
    const start = this.at;
    plainString.lastIndex = start;
    if (!plainString.test(this.text)) return this.escapedString();
    this.at = plainString.lastIndex;
    return this.text.slice(start + 1, this.at - 1);
  }

  private escapedString(): string {
    const { text } = this;
    const start = this.at;
    let at = start + 1;
    for (let unit = text.charCodeAt(at); unit !== 0x22; unit = text.charCodeAt(at)) {
      if (unit === 0x5c) at = this.behindEscape(at);
      else if (unit >= 0x20) at++;
      else throw this.fail("NOT_JSON", at); // a raw control character, or NaN at the end of the text
    }
    this.at = at + 1;
    const value: string = JSON.parse(text.slice(start, this.at));
    // The text itself is well formed, so only \u escapes can leave half a pair.
    if (!value.isWellFormed()) throw this.fail("LONE_SURROGATE", start + 1);
    return value;
  }

  private behindEscape(at: number): number {
    const unit = this.text.charCodeAt(at + 1);
    if (plainEscapes.has(unit)) return at + 2;
    if (unit !== 0x75 || !/^[0-9a-fA-F]{4}$/.test(this.text.slice(at + 2, at + 6))) throw this.fail("NOT_JSON", at);
    return at + 6;
  }

  private number(): string {
    const start = this.at;
    numberToken.lastIndex = start;
    if (!numberToken.test(this.text)) throw this.fail("NOT_JSON");
    if (numberToken.lastIndex - start > this.limits.number) throw this.fail("NUMBER_TOO_LONG");
    this.at = numberToken.lastIndex;
    return this.text.slice(start, this.at);
  }

  private word(word: string): void {
    if (!this.text.startsWith(word, this.at)) throw this.fail("NOT_JSON");
    this.at += word.length;
  }

  private blank(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at++;
    }
  }

  private fail(code: JsonRefusal["code"], at = this.at): Refused {
    return new Refused({ code, at });
  }
}

/** RFC 8259 §6. Sticky: it reads from `lastIndex` and nowhere else. */
const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/** A string that stands for itself: no escapes. Sticky as well. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 keeps them out of strings
const plainString = /"[^"\\\u0000-\u001f]*"/y;

/** What stands behind the backslash of an escape of two characters. */
const plainEscapes: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

function refused(code: JsonRefusal["code"], at: number): { is: "refused"; refusal: JsonRefusal } {
  return { is: "refused", refusal: { code, at } };
}

/** The value under `key`, if `json` is an object that has one. */
export function memberOf(json: Json | undefined, key: string): Json | undefined {
  if (json?.is !== "object") return undefined;
  return json.members.find((member) => member.key === key)?.value;
}
