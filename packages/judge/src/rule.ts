import type { Address, Binding, Confidence, Effect, Json, Pointer, Span, Surface } from "@countersign/core";
import type { Neighbourhood } from "./names/neighbourhood.ts";
import type { Siblings } from "./names/siblings.ts";
import type { Vanished } from "./names/vanished.ts";
import type { SchemaDocument } from "./schema/schema-document.ts";
import type { Reading } from "./text/reading.ts";
import type { Share, Unread } from "./text/share-read.ts";

/**
 * One opinion about definitions. A rule is a small value in the list of `rules/index.ts`; its id is the name of its file,
 * of its page in docs/rules/ and of its folder in vectors/rules/.
 */
export interface Rule {
  readonly id: string;
  readonly gate: "description" | "schema" | "identity";
  /** What the rule does unless the policy or a claim of its own says otherwise. */
  readonly effect: Effect;
  readonly confidence: Confidence;
  /** One plain sentence: what a definition does when this rule speaks. Never holds server text. */
  readonly summary: string;
  /** Ids of OWASP MCP Top 10, MITRE ATLAS and OpenSSF SAFE-MCP. */
  readonly taxa: readonly string[];
  /** Linear in the size of the subject. */
  readonly inspect: (subject: Subject) => Iterable<Claim>;
}

/** Where a rule claims to see something. */
export interface Claim {
  readonly at: Pointer;
  readonly part: "key" | "leaf";
  readonly span?: Span;
  readonly effect?: Effect;
  readonly confidence?: Confidence;
  readonly data?: Readonly<Record<string, string>>;
}

/** One definition as the model would be given it, with all that stands around it. */
export interface Subject {
  readonly address: Address;
  readonly json: Json;
  readonly surface: Surface;
  /** The carriers that hold text, keys among them, in document order, as far as they are read. */
  readonly texts: readonly Text[];
  /** Those that are more than one word or number of ASCII. The others hold no sentence and nothing hidden. */
  readonly phrases: readonly Text[];
  /** Where reading stopped, if it did. */
  readonly unread: Unread | undefined;
  /** Its input and output schemas, read when a rule first asks. Only tools have any. */
  readonly schemas: readonly SchemaDocument[];
  readonly context: Context;
}

/** Server-controlled: compare it code unit by code unit, never build a pattern of it. */
export interface Text extends Share {
  readonly reading: Reading;
}

export interface Context {
  /** Every definition of the offer that could be judged, this one among them. */
  readonly offer: readonly Surface[];
  /** The definition of the offer that stands before this one. */
  readonly before: (surface: Surface) => Surface | undefined;
  /** Tool names of this server: offered now, or approved before. */
  readonly own: ReadonlySet<string>;
  /** Tool names of other servers that somebody approved. Names in quarantine are not among them. */
  readonly foreign: ReadonlySet<string>;
  /** What somebody approved of this server, by `addressKey`. Whoever is among them is no newcomer. */
  readonly approved: ReadonlyMap<string, Binding>;
  /** What somebody approved under this address, where something else is offered now. */
  readonly formerly: (address: Address) => Surface | undefined;
  /** Names that a new one may be taken for: of other servers' approved tools, of this offer, of what it offers no more. */
  readonly neighbourhood: Neighbourhood;
  readonly siblings: Siblings;
  readonly vanished: Vanished;
  /** Identifiers that two schemas have which are not equal, of the offer or of what other servers have approved. Server-controlled. */
  readonly collidingIdentifiers: ReadonlySet<string>;
  /** What this server's tools, their properties and enum words are called: see `nameKey`. */
  readonly spoken: Spoken;
  /** One reading for each different text: many carriers of an offer hold the same words. */
  readonly readings: Map<string, Reading>;
}

/** Names by `nameKey`. */
export interface Spoken {
  readonly tools: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}
