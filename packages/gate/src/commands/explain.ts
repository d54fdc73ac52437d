import { visible } from "@countersign/core";
import { descriptionRules, identityRules, schemaRules } from "@countersign/judge";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { type FoundRow, foundRows } from "../print/found-row.ts";
import { rulePage } from "../print/rule-page.ts";
import type { View } from "../print/view.ts";
import { type Places, standingFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface ExplainReport {
  readonly rule: string;
  readonly gate: string;
  readonly effect: string;
  readonly confidence: string;
  readonly summary: string;
  readonly taxa: readonly string[];
  /** The rule's page, Markdown. */
  readonly page: string;
  /** What it finds in what the server last offered, and what carried that; absent where no server was named. */
  readonly found?: readonly FoundRow[];
  readonly exitCode: ExitCode;
}

/** What a rule looks for, why, and what a server's author can do about it; and what it finds in what a server last offered. */
export async function explain(
  id: string,
  { server, ...places }: { readonly server?: string } & Places,
  view: View,
): Promise<ExplainReport> {
  const rules = [...descriptionRules, ...schemaRules, ...identityRules];
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    throw new GateError(
      "USAGE",
      `Cannot explain "${visible(id)}": there is no such rule; the rules are ${rules.map((one) => one.id).join(", ")}`,
    );
  }
  const { gate, effect, confidence, summary, taxa } = rule;
  const page = await rulePage(rule.id);
  const about = { rule: rule.id, gate, effect, confidence, summary, taxa, page, exitCode: exitCodes.clean };
  if (server === undefined) return about;
  const standing = await withLedger(places, (ledger) => standingFor(ledger, serverNamed(server), places));
  return { ...about, found: standing.definitions.flatMap((stood) => foundRows(stood, rule.id, view)) };
}
