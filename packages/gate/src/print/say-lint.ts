import { visible } from "@countersign/core";
import type { CostReport, LimitRow, LintReport, ReleaseReport } from "../commands/lint.ts";
import { sayDefinition } from "./say-definition.ts";
import { sayIgnored } from "./say-ignored.ts";
import { paint, type View } from "./view.ts";

export function sayLint(report: LintReport, view: View): string {
  if (report.notLookedAt !== undefined) return report.notLookedAt;
  const found = report.definitions.filter(({ reasons }) => reasons.length > 0);
  const parts = [
    [
      ...report.ignored.map(sayIgnored),
      ...report.failures.map(({ source, code }) =>
        paint(view, "red", `${source}: the list could not be had whole: ${code}`),
      ),
      ...found.map((row) => sayDefinition(row, view, "--json shows them")),
      `findings: ${found.length} of ${report.definitions.length} definitions`,
    ],
    remedyLines(report, view),
    limitLines(report.limits, view),
    costLines(report.cost, view),
    ...(report.release === undefined ? [] : [releaseLines(report.release, view)]),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function remedyLines({ remedies }: LintReport, view: View): readonly string[] {
  return remedies.map(({ rule, remedy }) => `${paint(view, "bold", rule)}: ${remedy}`);
}

function limitLines(limits: readonly LimitRow[], view: View): readonly string[] {
  const rejected = limits.filter(({ effect }) => effect === "rejects");
  const dropped = limits.filter(({ effect }) => effect === "drops");
  const groups = new Map<string, LimitRow[]>();
  for (const limit of dropped) {
    const key = `${limit.taker} ${limit.limit} ${limit.found}`;
    groups.set(key, [...(groups.get(key) ?? []), limit]);
  }
  return [
    `limits of providers and hosts: ${rejected.length} rejected, ${dropped.length} dropped`,
    ...rejected.map((row) => {
      const where = row.tool === undefined ? "" : ` tool ${row.tool}${placeOf(row)}`;
      return `  ${paint(view, "red", `${row.taker} rejects`)}${where}: ${wordsOf(row)}`;
    }),
    ...[...groups.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const where = first.tool === undefined ? "" : `, of tool ${first.tool}`;
      const more = others.length === 0 ? "" : ` and ${others.length} more`;
      return [`  ${paint(view, "yellow", `${first.taker} drops`)}${where}${more}: ${wordsOf(first)}`];
    }),
  ];
}

function placeOf({ at, places }: LimitRow): string {
  return `${at === "" || at === "/name" ? "" : ` at ${at}`}${places > 1 ? ` and ${places - 1} more` : ""}`;
}

function wordsOf({ found, limit, verified }: LimitRow): string {
  return `${found}; ${limit}${verified ? "" : " (unverified)"}`;
}

/** Definitions that are listed; --json has them all. */
const most = 10;

function costLines({ total, prose, contract, definitions }: CostReport, view: View): readonly string[] {
  const width = String(total).length;
  const lines = definitions
    .slice(0, most)
    .map(
      (one) =>
        `  ${String(one.total).padStart(width)}  ${one.kind} ${paint(view, "bold", one.name)} (prose ${one.prose}, contract ${one.contract})`,
    );
  const rest = definitions.length - lines.length;
  return [
    `cost: about ${total} tokens in each context, ${prose} of prose and ${contract} of contract`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} smaller ones; --json shows them`] : []),
  ];
}

function releaseLines(release: ReleaseReport, view: View): readonly string[] {
  const { against, changed, added, removed, respelled, same, withheld, classes, failures } = release;
  const named = (what: string, rows: ReleaseReport["added"]) => rows.map(({ kind, name }) => `${what} ${kind} ${name}`);
  const verdict =
    withheld === 0
      ? "nothing is withheld from users who approved the release"
      : `${withheld === 1 ? "1 definition is" : `${withheld} definitions are`} withheld from users who approved the release, until they have reviewed ${withheld === 1 ? "it" : "them"}`;
  return [
    `against ${visible(against)}: ${paint(view, withheld === 0 ? "green" : "yellow", verdict)}`,
    ...failures.map(({ source, code }) =>
      paint(view, "red", `of the release, ${source}: the list could not be had whole: ${code}`),
    ),
    ...changed.map((row) => sayDefinition(row, view, "--json shows them")),
    ...named("new", added),
    ...named("gone", removed),
    ...(classes.length === 0 ? [] : [`changes: ${classes.map(([one, count]) => `${count} ${one}`).join(", ")}`]),
    `${same} the same, ${respelled} merely respelled, of which nobody is asked`,
  ];
}
