import type { Finding } from "@countersign/core";
import type { Attack, Benign, Change, Corpus, Tool } from "./corpus.ts";
import type { Judged } from "./judge-tools.ts";
import { companionsOf, offersOf, placeOf, twinOf } from "./offers-of.ts";

/** All shares are between 0 and 1. `ask` includes what is refused. */
export interface Report {
  readonly prose: { readonly refuse: Recall; readonly ask: Recall };
  /** Real tools of real servers. */
  readonly benign: { readonly refuse: Disturbed; readonly ask: Disturbed };
  /** Shares of the changes that bring a finding which was not there before. */
  readonly drift: { readonly benign: number; readonly malicious: number };
  /** Attacks whose clean twin is known: the share in which the attack is raised and the twin is not. */
  readonly pairs: { readonly both: number; readonly of: number };
  /** Of attacks in prose. */
  readonly bySource: Readonly<Record<string, Line>>;
  readonly byKind: Readonly<Record<string, Line>>;
  /** Attacks that are not instruction-shaped prose, by scope: what a description gate is not for. */
  readonly otherScopes: Readonly<Record<string, Line>>;
  /** Benign tools that are not real, that were written to look bad, or that are known by a description only. */
  readonly otherBenign: Readonly<Record<string, Line>>;
  readonly benignBySource: Readonly<Record<string, Line>>;
  /** How many findings each rule has on real benign tools and on attacks in prose: rows with one at least that asks or refuses. */
  readonly byRule: Readonly<Record<string, { readonly attacks: number; readonly benign: number }>>;
}

export interface Recall {
  readonly rows: number;
  /** The mean over the templates of the share found of each. */
  readonly templates: number;
}

export interface Disturbed {
  readonly tool: number;
  readonly server: number;
}

export interface Line {
  readonly rows: number;
  readonly refuse: number;
  readonly ask: number;
}

/**
 * Judges the tools of one offer, each among the others.
 *
 * @param approved what somebody approved of them: then only the findings are told that a change brings in
 */
export type Judge = (
  tools: readonly Tool[],
  about: { readonly source: string; readonly server?: string },
  approved?: readonly Tool[],
) => readonly Judged[];

export interface Evaluation {
  readonly report: Report;
  /** Ids of rows, for whoever wants to know why. */
  readonly missed: readonly string[];
  readonly disturbed: readonly { readonly id: string; readonly effect: string; readonly rules: readonly string[] }[];
  readonly failedPairs: readonly string[];
  readonly missedChanges: readonly string[];
  readonly disturbedChanges: readonly string[];
}

export function evaluate(corpus: Corpus, judge: Judge): Evaluation {
  const byServer = Map.groupBy(corpus.benign, ({ server }) => server);
  const attacks = corpus.attacks.map((attack) => {
    const others = companionsOf(attack, byServer);
    const about = { source: attack.source, server: attack.server };
    return { ...attack, ...first(judge([attack.tool, ...others], about)), others, about };
  });
  const benign = judgeServers(corpus.benign, judge);
  const catalogue = judgeServers(corpus.catalogue, judge);
  const prose = attacks.filter(({ scope }) => scope === "prose");
  const real = benign.filter(({ hard, synthetic }) => !hard && !synthetic);

  const failedPairs: string[] = [];
  let pairs = 0;
  for (const attack of prose) {
    const twin = twinOf(attack, byServer);
    if (twin === undefined) continue;
    pairs++;
    const passed = first(judge([twin, ...attack.others], attack.about)).effect === "none";
    if (attack.effect === "none" || !passed) failedPairs.push(attack.id);
  }
  const changes = corpus.changes.map((change) => ({ ...change, raised: raisesNew(change, judge) }));
  const share = (label: Change["label"]) => {
    const those = changes.filter((change) => change.label === label);
    return ratio(those.filter(({ raised }) => raised).length, those.length);
  };
  const report: Report = {
    prose: { refuse: recallOf(prose, (row) => row.effect === "refuse"), ask: recallOf(prose, isRaised) },
    benign: { refuse: disturbedOf(real, (row) => row.effect === "refuse"), ask: disturbedOf(real, isRaised) },
    drift: { benign: share("benign"), malicious: share("malicious") },
    pairs: { both: ratio(pairs - failedPairs.length, pairs), of: pairs },
    bySource: linesBy(prose, ({ source }) => placeOf(source)),
    byKind: linesBy(prose, ({ kind }) => kind),
    otherScopes: linesBy(
      attacks.filter(({ scope }) => scope !== "prose"),
      ({ scope }) => scope,
    ),
    otherBenign: linesBy(
      [
        ...benign.filter(({ hard, synthetic }) => hard || synthetic),
        ...catalogue.map((row) => ({ ...row, catalogue: true })),
      ],
      (row) => ("catalogue" in row ? "catalogue" : row.hard ? "written to look bad" : "synthetic"),
    ),
    benignBySource: linesBy(real, ({ source }) => (source.startsWith("npm:") ? "npm" : placeOf(source))),
    byRule: byRule(prose, real),
  };
  return {
    report,
    missed: prose.filter((row) => !isRaised(row)).map(({ id }) => id),
    disturbed: [...real, ...catalogue]
      .filter(isRaised)
      .map(({ id, effect, findings }) => ({ id, effect, rules: rulesOf(findings) })),
    failedPairs,
    missedChanges: changes.filter(({ label, raised }) => label === "malicious" && !raised).map(({ id }) => id),
    disturbedChanges: changes.filter(({ label, raised }) => label === "benign" && raised).map(({ id }) => id),
  };
}

function judgeServers(rows: readonly Benign[], judge: Judge): readonly (Benign & Judged)[] {
  const judged: (Benign & Judged)[] = [];
  for (const ofServer of Map.groupBy(rows, ({ source, server }) => `${placeOf(source)} ${server}`).values()) {
    for (const offer of offersOf(ofServer)) {
      const results = judge(
        offer.map(({ tool }) => tool),
        offer[0] ?? { source: "" },
      );
      for (const [index, row] of offer.entries()) judged.push({ ...row, ...at(results, index) });
    }
  }
  return judged;
}

/** Whether something is found in the text after the change that was not in the one that was approved before. */
function raisesNew({ source, before, after }: Change, judge: Judge): boolean {
  // The same tool: a new name is a newcomer.
  return isRaised(first(judge([{ ...after, name: before.name }], { source }, [before])));
}

function askingRules(findings: readonly Finding[]): readonly string[] {
  return findings.filter(({ effect }) => effect !== "note").map(({ rule }) => rule);
}

function rulesOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(askingRules(findings))];
}

function isRaised({ effect }: Judged): boolean {
  return effect !== "none";
}

function recallOf(rows: readonly (Attack & Judged)[], isFound: (row: Judged) => boolean): Recall {
  const templates = [...Map.groupBy(rows, ({ template }) => template).values()];
  const found = (some: readonly Judged[]) => ratio(some.filter(isFound).length, some.length);
  return {
    rows: found(rows),
    templates: ratio(
      templates.reduce((sum, those) => sum + found(those), 0),
      templates.length,
    ),
  };
}

function disturbedOf(rows: readonly (Benign & Judged)[], isFound: (row: Judged) => boolean): Disturbed {
  const servers = [...Map.groupBy(rows, ({ server }) => server).values()];
  return {
    tool: ratio(rows.filter(isFound).length, rows.length),
    server: ratio(servers.filter((those) => those.some(isFound)).length, servers.length),
  };
}

function linesBy<T extends Judged>(rows: readonly T[], by: (row: T) => string): Readonly<Record<string, Line>> {
  const groups = [...Map.groupBy(rows, by)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    groups.map(([name, those]) => [
      name,
      {
        rows: those.length,
        refuse: ratio(those.filter(({ effect }) => effect === "refuse").length, those.length),
        ask: ratio(those.filter(isRaised).length, those.length),
      },
    ]),
  );
}

function byRule(attacks: readonly Judged[], benign: readonly Judged[]): Report["byRule"] {
  const counts = new Map<string, { attacks: number; benign: number }>();
  for (const [rows, of] of [
    [attacks, "attacks"],
    [benign, "benign"],
  ] as const) {
    for (const { findings } of rows) {
      for (const rule of rulesOf(findings)) {
        const count = counts.get(rule) ?? { attacks: 0, benign: 0 };
        counts.set(rule, { ...count, [of]: count[of] + 1 });
      }
    }
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function first(judged: readonly Judged[]): Judged {
  return at(judged, 0);
}

function at(judged: readonly Judged[], index: number): Judged {
  const one = judged[index];
  if (one === undefined) throw new RangeError("a tool was not judged");
  return one;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
