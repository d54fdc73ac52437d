import { readFile } from "node:fs/promises";
import { visible } from "@countersign/core";
import { descriptionRules, identityRules, schemaRules } from "@countersign/judge";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";

export interface ExplainReport {
  readonly rule: string;
  readonly gate: string;
  readonly effect: string;
  readonly confidence: string;
  readonly summary: string;
  readonly taxa: readonly string[];
  /** The rule's page, Markdown. */
  readonly page: string;
  readonly exitCode: ExitCode;
}

/** What a rule looks for, why, and what a server's author can do about it. */
export async function explain(id: string): Promise<ExplainReport> {
  const rules = [...descriptionRules, ...schemaRules, ...identityRules];
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    throw new GateError(
      "USAGE",
      `Cannot explain "${visible(id)}": there is no such rule; the rules are ${rules.map((one) => one.id).join(", ")}`,
    );
  }
  const { gate, effect, confidence, summary, taxa } = rule;
  const page = await readFile(new URL(`./rules/${rule.id}.md`, import.meta.url), "utf8");
  return { rule: rule.id, gate, effect, confidence, summary, taxa, page, exitCode: exitCodes.clean };
}
