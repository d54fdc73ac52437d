import type { Span } from "@countersign/core";
import type { Context, Subject, Text } from "../rule.ts";
import { nameKey } from "../text/name-key.ts";
import type { Reading } from "../text/reading.ts";
import {
  linkFeatures,
  type NameSort,
  nameFeatures,
  reasonFeatures,
  stretchesOf,
  type Told,
  type Visit,
} from "./features.ts";
import { mayOrder } from "./may-order.ts";
import { type Support, supportedAt, supportOf } from "./support.ts";
import type { Token } from "./tokens.ts";

/** A stretch of a text that may order something. */
export interface Stretch {
  readonly tokens: readonly Token[];
  /** Its clause as the server wrote it. */
  readonly written: string;
  /** Which clause of the text it is of. */
  readonly clause: number;
  /** Of that clause, in the text as it was written. */
  readonly span: Span;
  /** Whether it goes on from the stretch before it. */
  readonly joined: boolean;
}

/** What may order something in a text, in order; or only in the clauses of it that begin at `from` and end before `to`. */
export function stretchesIn(
  { text, reading }: { readonly text: string; readonly reading: Reading },
  { from, to }: { readonly from?: number; readonly to?: number } = {},
): readonly Stretch[] {
  const found: Stretch[] = [];
  let joined = false;
  const { clauses } = reading;
  for (let clause = from ?? 0; clause < (to ?? clauses.length); clause++) {
    const folded = clauses[clause];
    const before = found.length;
    if (folded !== undefined && mayOrder(folded.text)) {
      const { span } = folded;
      for (const tokens of stretchesOf(folded.text)) {
        found.push({ clause, span, joined, tokens, written: text.slice(span.start, span.end) });
        joined = true;
      }
    }
    joined = found.length > before;
  }
  return found;
}

/** What a stretch is weighed by besides its own words, for one definition. */
export interface Surroundings {
  readonly sortOf: (name: string) => NameSort;
  readonly support: Support;
}

export function surroundingsOf(subject: Subject): Surroundings {
  return { sortOf: nameSorter(subject), support: supportOf(subject) };
}

/**
 * Tells the features that a stretch has only where it stands: what its names are there, what else of the definition gives a
 * reason for its words, and what was said before.
 *
 * @param before `classes` of the stretch before it
 */
export function placedFeatures(
  { names, classes, joined, span }: Told & Pick<Stretch, "joined" | "span">,
  text: Pick<Text, "at">,
  before: number,
  { sortOf, support }: Surroundings,
  visit: Visit,
): void {
  if (joined) linkFeatures(before, classes, visit);
  if (names.length > 0) for (const sort of new Set(names.map(sortOf))) nameFeatures(sort, classes, visit);
  const supported = supportedAt(support, text, span.start);
  if (supported !== undefined) reasonFeatures(classes, supported, visit);
}

/** What a name is for one definition, by the names that its server has and those that others have. */
function nameSorter({ address, context }: Pick<Subject, "address" | "context">): (name: string) => NameSort {
  const itself = nameKey(address.name);
  const foreign = foreignIn(context);
  return (name) => {
    const key = nameKey(name);
    if (key === itself) return "itself";
    if (context.spoken.tools.has(key)) return "sibling";
    if (foreign.has(key)) return "foreign";
    return context.spoken.words.has(key) ? "argument" : "unknown";
  };
}

const known = new WeakMap<Context, ReadonlySet<string>>();

function foreignIn(context: Context): ReadonlySet<string> {
  let foreign = known.get(context);
  if (foreign === undefined) {
    foreign = new Set([...context.foreign].map(nameKey));
    known.set(context, foreign);
  }
  return foreign;
}

/** Log odds that a text speaks with more weight in this place: nobody expects an order in a title, a name or a default. */
export function placeBonus({ role, part, at }: Pick<Text, "role" | "part" | "at">): number {
  if (part === "key" || role === "identity" || role === "contract" || role === "opaque") return odd;
  return /\/(?:title|default|\$comment|enum\/\d+|examples\/\d+|example)$/.test(at) ? odd : 0;
}

const odd = 0.7;
