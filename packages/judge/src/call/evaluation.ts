import { below, type Json, type JsonObject, root } from "@countersign/core";
import { linearMatcher } from "../pattern/linear-matcher.ts";
import type { PatternFault } from "../pattern/pattern.ts";
import { readPattern } from "../pattern/read-pattern.ts";
import { type Dialect, defaultDialect, dialectOf, isKeywordOf, refStandsAlone } from "../schema/dialect.ts";
import { type Reference, readSchema } from "../schema/schema-document.ts";
import { arrayKeywords, lastArrayKeywords } from "./array-keywords.ts";
import { combiningKeywords } from "./combining-keywords.ts";
import type { Frame, Keyword, Run, Schema, Seen } from "./keyword.ts";
import { lastObjectKeywords, objectKeywords } from "./object-keywords.ts";
import type { PathFault } from "./path-fault.ts";
import { valueKeywords } from "./value-keywords.ts";
import { pointerOf, type Trail, type Unsupported, type Violation } from "./violation.ts";

export interface EvaluationOptions {
  /** What one evaluation may cost; see `Evaluation.step`. */
  readonly steps: number;
  /** Keywords beside those of JSON Schema, or in place of them. */
  readonly extra?: ReadonlyMap<string, Keyword>;
}

/** Violations that are told of one call. The verdict needs one, whoever wrote the call a few. */
const most = 100;
/** Schemas that are being applied within one another. It bounds the call stack, which holds some 500 of them. */
const deepest = 300;

/**
 * Applies a schema to a value, keyword by keyword. Server-controlled: the schema. Model-controlled: the value. Neither
 * becomes code, a RegExp or a key of a plain object.
 *
 * INVARIANT: an evaluation without violations has applied every keyword that the schema's dialect gives a meaning to.
 */
export class Evaluation implements Run {
  private readonly schema: Json;
  private readonly dialect: Dialect | undefined;
  private readonly extra: ReadonlyMap<string, Keyword>;
  private left: number;
  private depth = 0;
  /** Undefined while a branch is tried whose failure is no violation. */
  private reports: Violation[] | undefined = [];
  private readonly unsupportedOnes: Violation[] = [];
  private readonly compiled = new Set<Json>();

  constructor(schema: Json, { steps, extra = new Map() }: EvaluationOptions) {
    this.schema = schema;
    this.dialect = dialectOf(schema);
    this.extra = extra;
    this.left = steps;
  }

  /** @param seen collects what the schema deals with at the root of the value */
  violations(value: Json, seen?: Seen): readonly Violation[] {
    const reports: Violation[] = [];
    this.reports = reports;
    try {
      this.evaluate({ json: this.schema, at: root }, value, root, this.dialect ?? defaultDialect, seen);
    } catch (error) {
      if (!(error instanceof GaveUp)) throw error;
      reports.push(error.violation);
    }
    return [...this.unsupportedOnes, ...reports];
  }

  private evaluate(schema: Schema, value: Json, at: Trail, dialect: Dialect, wanted: Seen | undefined): boolean {
    const { json } = schema;
    const keywords = json.is === "object" ? this.indexOf(json) : none;
    const asks = keywords.has("unevaluatedProperties") || keywords.has("unevaluatedItems");
    const seen = wanted ?? (asks ? nothingSeen() : undefined);
    const frame: Frame = { schema, keywords, dialect, value, at, seen, run: this };
    this.step(frame, 1 + keywords.size);
    switch (json.is) {
      case "boolean":
        return json.value || this.failAt(schema.at, "false", at);
      case "null":
      case "number":
      case "string":
      case "array":
        return this.unsupported(frame, "", "malformed");
      case "object":
        break;
    }
    const named = keywords.get("$schema");
    if (json === this.schema) {
      if (this.dialect === undefined) this.unsupported(frame, "$schema", "unknown-dialect");
    } else if (named !== undefined && dialectOf(json) !== dialect) this.unsupported(frame, "$schema", "mixed-dialects");

    if (++this.depth > deepest) throw new GaveUp(frame);
    const holds = this.applyKeywords(frame);
    this.depth--;
    return holds;
  }

  private applyKeywords(frame: Frame): boolean {
    const { keywords, dialect } = frame;
    const { first, last } = keywordsOf(dialect);
    const alone = refStandsAlone(dialect) ? keywords.get("$ref") : undefined;
    const reference = first.get("$ref");
    if (alone !== undefined && reference !== undefined) return reference(frame, alone, "$ref");
    let holds = true;
    for (const [keyword, argument] of keywords) {
      const apply = this.extra.get(keyword) ?? first.get(keyword);
      if (apply !== undefined) holds = apply(frame, argument, keyword) && holds;
    }
    // They look at what the others have dealt with.
    for (const [keyword, apply] of last) {
      const argument = keywords.get(keyword);
      if (argument !== undefined) holds = apply(frame, argument, keyword) && holds;
    }
    return holds;
  }

  /**
   * One step is about a tenth of a microsecond: a schema or keyword applied, a property looked up, 16 characters
   * compared, 16 instructions of a pattern over one character.
   */
  step(frame: Frame, steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new GaveUp(frame);
  }

  apply({ dialect }: Frame, schema: Schema, value: Json, at: Trail): boolean {
    return this.evaluate(schema, value, at, dialect, undefined);
  }

  applyHere(frame: Frame, schema: Schema): boolean {
    const { dialect, value, at } = frame;
    const own = frame.seen === undefined ? undefined : nothingSeen();
    const holds = this.evaluate(schema, value, at, dialect, own);
    this.merge(frame, own);
    return holds;
  }

  tryHere(frame: Frame, schema: Schema): boolean {
    const { dialect, value, at } = frame;
    const own = frame.seen === undefined ? undefined : nothingSeen();
    const holds = this.quietly(() => this.evaluate(schema, value, at, dialect, own));
    if (holds) this.merge(frame, own);
    return holds;
  }

  private merge(frame: Frame, own: Seen | undefined): void {
    if (own === undefined) return;
    this.step(frame, own.names.size + own.items.size);
    for (const name of own.names) frame.seen?.names.add(name);
    for (const index of own.items) frame.seen?.items.add(index);
  }

  tryOn({ dialect }: Frame, schema: Schema, value: Json, at: Trail): boolean {
    return this.quietly(() => this.evaluate(schema, value, at, dialect, undefined));
  }

  private quietly(evaluate: () => boolean): boolean {
    const { reports } = this;
    this.reports = undefined;
    const holds = evaluate();
    this.reports = reports;
    return holds;
  }

  fail(frame: Frame, keyword: string, at: Trail = frame.at, because?: PathFault): false {
    return this.failAt({ parent: frame.schema.at, token: keyword }, keyword, at, because);
  }

  private failAt(schema: Trail, keyword: string, at: Trail, because?: PathFault): false {
    if (this.reports !== undefined && this.reports.length < most) {
      const where = { at: pointerOf(at), schema: pointerOf(schema) };
      this.reports.push({ code: "FAILED", keyword, ...where, ...(because === undefined ? {} : { because }) });
    }
    return false;
  }

  unsupported({ at, schema }: Frame, keyword: string, because: Unsupported): true {
    if (this.unsupportedOnes.length < most) {
      const where = pointerOf(schema.at);
      this.unsupportedOnes.push({
        code: "UNSUPPORTED",
        keyword,
        because,
        at: pointerOf(at),
        schema: keyword === "" ? where : below(where, keyword),
      });
    }
    return true;
  }

  matches(frame: Frame, keyword: string, pattern: Json, text: string, written: string): boolean {
    const first = !this.compiled.has(pattern);
    if (first) {
      this.compiled.add(pattern);
      this.step(frame, written.length);
    }
    const read = patternOf(pattern, written);
    if (read.is === "refused") return this.unsupported(frame, keyword, read.because);
    if (first) this.step(frame, compilation * read.size);
    this.step(frame, 1 + Math.ceil((text.length * read.size) / 16));
    read.matcher ??= linearMatcher(read.parts);
    return read.matcher(text);
  }

  reference({ schema }: Frame, keyword: string): Schema | Unsupported {
    const { references, resources } = documentOf(this.schema);
    const target = references.get(schema.json)?.get(keyword)?.target;
    if (target === undefined) return "malformed";
    if (typeof target === "string") return target;
    // With one resource there is one scope, and the dynamic target is the static one.
    if (keyword !== "$ref" && resources > 1) return "dynamic-scope";
    return target;
  }

  indexOf(object: JsonObject): ReadonlyMap<string, Json> {
    let index = indexes.get(object);
    if (index === undefined) {
      index = new Map(object.members.map(({ key, value }) => [key, value]));
      indexes.set(object, index);
    }
    return index;
  }
}

class GaveUp extends Error {
  readonly violation: Violation;

  constructor({ at, schema }: Frame) {
    super("TOO_MUCH_WORK");
    this.violation = { code: "TOO_MUCH_WORK", at: pointerOf(at), schema: pointerOf(schema.at) };
  }
}

/** Steps to compile one instruction of a pattern. */
const compilation = 100;

const none: ReadonlyMap<string, Json> = new Map();

function nothingSeen(): Seen {
  return { names: new Set(), items: new Set() };
}

interface KeywordTable {
  readonly first: ReadonlyMap<string, Keyword>;
  readonly last: ReadonlyMap<string, Keyword>;
}

const tables = new Map<Dialect, KeywordTable>();

function keywordsOf(dialect: Dialect): KeywordTable {
  let table = tables.get(dialect);
  if (table === undefined) {
    const known = (keywords: readonly (readonly [string, Keyword])[]) =>
      new Map(keywords.filter(([keyword]) => isKeywordOf(dialect, keyword)));
    table = {
      first: known([...combiningKeywords, ...valueKeywords, ...arrayKeywords, ...objectKeywords]),
      last: known([...lastArrayKeywords, ...lastObjectKeywords]),
    };
    tables.set(dialect, table);
  }
  return table;
}

type CompiledPattern =
  | {
      readonly is: "pattern";
      readonly size: number;
      readonly parts: Parameters<typeof linearMatcher>[0];
      matcher?: (text: string) => boolean;
    }
  | { readonly is: "refused"; readonly because: PatternFault };

// Made once for a schema that is kept, and gone with it. They hold what follows from the schema alone.
const patterns = new WeakMap<Json, CompiledPattern>();
const indexes = new WeakMap<JsonObject, ReadonlyMap<string, Json>>();
const documents = new WeakMap<Json, IndexedDocument>();

interface IndexedDocument {
  readonly references: ReadonlyMap<Json, ReadonlyMap<string, Reference>>;
  /** Schemas with an identifier of their own, and the document. */
  readonly resources: number;
}

function patternOf(node: Json, written: string): CompiledPattern {
  let pattern = patterns.get(node);
  if (pattern === undefined) {
    pattern = readPattern(written);
    patterns.set(node, pattern);
  }
  return pattern;
}

function documentOf(json: Json): IndexedDocument {
  let document = documents.get(json);
  if (document === undefined) {
    const { references, schemas } = readSchema(json, root);
    const index = new Map<Json, Map<string, Reference>>();
    for (const reference of references) {
      const of = index.get(reference.from.json) ?? new Map<string, Reference>();
      of.set(reference.keyword, reference);
      index.set(reference.from.json, of);
    }
    document = { references: index, resources: new Set(schemas.map(({ base }) => base.json)).size };
    documents.set(json, document);
  }
  return document;
}
