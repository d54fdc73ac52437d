import type { Json, JsonObject } from "@countersign/core";
import type { Dialect } from "../schema/dialect.ts";
import type { PathFault } from "./path-fault.ts";
import type { Trail, Unsupported } from "./violation.ts";

/** What one keyword of one schema says of one value. A keyword that fails has said so through `fail` or `apply`. */
export type Keyword = (frame: Frame, argument: Json, keyword: string) => boolean;

/** One schema applied to one value. */
export interface Frame {
  readonly schema: Schema;
  readonly keywords: ReadonlyMap<string, Json>;
  readonly dialect: Dialect;
  readonly value: Json;
  readonly at: Trail;
  /** What keywords beside this one have dealt with; undefined where nobody will ask. */
  readonly seen: Seen | undefined;
  readonly run: Run;
}

export interface Schema {
  readonly json: Json;
  readonly at: Trail;
}

/** Properties and items that some keyword has dealt with: the annotations that `unevaluated...` looks at. */
export interface Seen {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

export interface Run {
  /** Counts work, and gives up when there was too much. */
  readonly step: (frame: Frame, steps: number) => void;
  /** Applies a schema to a part of the value. */
  readonly apply: (frame: Frame, schema: Schema, value: Json, at: Trail) => boolean;
  /** Applies a schema to the same value: what it deals with is dealt with for its parent too, if it holds. */
  readonly applyHere: (frame: Frame, schema: Schema) => boolean;
  /** The same, and keeps what it says to itself. */
  readonly tryHere: (frame: Frame, schema: Schema) => boolean;
  readonly tryOn: (frame: Frame, schema: Schema, value: Json, at: Trail) => boolean;
  readonly fail: (frame: Frame, keyword: string, at?: Trail, because?: PathFault) => false;
  /** Nothing satisfies what cannot be told, whatever stands around it. Answers true, so that checking goes on. */
  readonly unsupported: (frame: Frame, keyword: string, because: Unsupported) => true;
  readonly matches: (frame: Frame, keyword: string, pattern: Json, text: string, written: string) => boolean;
  readonly reference: (frame: Frame, keyword: string) => Schema | Unsupported;
  /** The members of an object by their keys. */
  readonly indexOf: (object: JsonObject) => ReadonlyMap<string, Json>;
}

export function under(schema: Schema, json: Json, ...tokens: readonly (string | number)[]): Schema {
  return { json, at: tokens.reduce<Trail>((parent, token) => ({ parent, token }), schema.at) };
}
