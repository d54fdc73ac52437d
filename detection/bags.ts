import type { Authored } from "./authored.ts";
import type { Attack, Benign, Corpus } from "./corpus.ts";
import { type Example, examplesOf } from "./examples.ts";
import type { Bag } from "./learn.ts";
import { companionsOf, offersOf, placeOf, twinOf } from "./offers-of.ts";

/** A bag, and where it comes from: what is left out together. */
export interface Row extends Bag {
  readonly id: string;
  /** Rows of one group are learned from together, or together not. */
  readonly group: string;
  /** Undefined for what somebody wrote to learn from. */
  readonly of: Attack | Benign | undefined;
}

export function rowsOf({ attacks, benign, catalogue }: Corpus, authored: readonly Authored[]): readonly Row[] {
  const byServer = Map.groupBy(benign, ({ server }) => server);
  const groupOf = grouping(attacks);
  return [
    ...attacks
      .filter(({ scope }) => scope === "prose")
      .map((attack): Row => {
        const others = companionsOf(attack, byServer);
        const [examples = []] = examplesOf([attack.tool, ...others], 1);
        const clean = new Set(textsOf(twinOf(attack, byServer)));
        return {
          ...{ id: attack.id, group: groupOf(attack), of: attack },
          ...{ label: "attack", weight: 1, examples, isOrder: orderIn(attack.payload, (text) => clean.has(text)) },
        };
      }),
    ...[benign, catalogue].flatMap((rows) => benignRows(rows, groupOf)),
    ...authored.map((one): Row => {
      const [examples = []] = examplesOf([one.tool]);
      const row = { ...{ id: one.id, group: "authored", of: undefined }, ...{ label: one.label, weight: 1, examples } };
      return one.payload === "" ? row : { ...row, isOrder: orderIn(one.payload, () => true) };
    }),
  ];
}

function benignRows(rows: readonly Benign[], groupOf: GroupOf): readonly Row[] {
  const found: Row[] = [];
  for (const ofServer of Map.groupBy(rows, ({ source, server }) => `${placeOf(source)} ${server}`).values()) {
    for (const offer of offersOf(ofServer)) {
      const all = examplesOf(offer.map(({ tool }) => tool));
      for (const [index, row] of offer.entries()) {
        found.push({
          ...{ id: row.id, group: groupOf(row), of: row },
          // What was written to look bad is not what servers write.
          ...{ label: "benign", weight: row.hard ? 0.3 : 1, examples: all[index] ?? [] },
        });
      }
    }
  }
  return found;
}

export type GroupOf = (row: { readonly source: string; readonly server?: string }) => string;

/**
 * What is left out together: all that comes from one place, and from two places whose attacks share a template. A place
 * that only gathers the servers of others is as many as it has servers.
 */
export function grouping(attacks: readonly Attack[]): GroupOf {
  const above = new Map<string, string>();
  const top = (key: string): string => {
    const next = above.get(key) ?? key;
    return next === key ? key : top(next);
  };
  for (const { source, template } of attacks) above.set(top(template), top(placeOf(source)));
  const attacking = new Set(attacks.map(({ source }) => placeOf(source)));
  return ({ source, server = "" }) => {
    const place = placeOf(source);
    return attacking.has(place) ? top(place) : `${place} ${server}`;
  };
}

/** Whether a stretch may be the order: it stands within the payload, or in a text that the clean twin lacks. */
function orderIn(payload: string, isClean: (text: string) => boolean): NonNullable<Bag["isOrder"]> {
  const places = new Map<string, number>();
  return ({ text }: Example, { span }) => {
    let start = places.get(text);
    if (start === undefined) {
      start = payload === "" ? -1 : text.indexOf(payload);
      places.set(text, start);
    }
    if (start !== -1) return span.end > start && span.start < start + payload.length;
    return !isClean(text);
  };
}

function* textsOf(value: unknown): Iterable<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* textsOf(inner);
}
