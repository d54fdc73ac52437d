import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { descriptionRules, identityRules, type Rule, schemaRules } from "@countersign/judge";

/**
 * Every rule has a page in docs/rules and vectors in vectors/rules, nothing there is without a rule, and docs/rules.md is
 * the table of them all. Prints each problem and exits 1 if there are any; `--write` writes the table.
 */
export function checkRuleDocs(root: string, rules: readonly Rule[]): readonly string[] {
  const problems: string[] = [];
  const ids = new Set(rules.map(({ id }) => id));
  for (const rule of rules) problems.push(...pageProblems(root, rule), ...vectorProblems(root, rule));
  for (const file of entriesOf(join(root, "docs/rules"))) {
    if (!ids.has(file.replace(/\.md$/, ""))) problems.push(`docs/rules/${file} is about no rule`);
  }
  for (const folder of entriesOf(join(root, "vectors/rules"))) {
    if (!ids.has(folder)) problems.push(`vectors/rules/${folder} is about no rule`);
  }
  if (textOf(join(root, "docs/rules.md")) !== tableOf(rules)) {
    problems.push("docs/rules.md is stale: run node tools/check-rule-docs.ts --write");
  }
  return problems;
}

const sections = ["## Why", "## Example", "## Remedy", "## Known false positives"];

/** The page says first what `explain` and the table say of the rule. */
function pageProblems(root: string, { id, summary }: Rule): readonly string[] {
  const page = textOf(join(root, "docs/rules", `${id}.md`));
  if (page === undefined) return [`docs/rules/${id}.md is missing`];
  const problems: string[] = [];
  if (!page.startsWith(`# ${id}\n\n${summary}.\n`)) {
    problems.push(`docs/rules/${id}.md does not begin with the rule's name and summary`);
  }
  for (const section of sections) {
    if (!page.includes(`\n${section}\n`)) problems.push(`docs/rules/${id}.md has no "${section}"`);
  }
  return problems;
}

/** Vectors of each sign that a rule has at least. */
const fewest = 3;

function vectorProblems(root: string, { id }: Rule): readonly string[] {
  const folder = join(root, "vectors/rules", id);
  let finding = 0;
  let none = 0;
  for (const file of entriesOf(folder)) {
    const vector: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
    if (typeof vector !== "object" || vector === null || !("expect" in vector) || !Array.isArray(vector.expect)) {
      return [`vectors/rules/${id}/${file} expects nothing`];
    }
    if (vector.expect.length > 0) finding++;
    else none++;
  }
  if (finding >= fewest && none >= fewest) return [];
  return [`vectors/rules/${id} has ${finding} vectors with findings and ${none} without; it needs ${fewest} of each`];
}

function tableOf(rules: readonly Rule[]): string {
  const rows = rules.map(
    ({ id, gate, effect, confidence, summary, taxa }) =>
      `| [${id}](rules/${id}.md) | ${gate} | ${effect} | ${confidence} | ${summary.replaceAll("|", "\\|")} | ${taxa.join(", ")} |`,
  );
  return `${[
    "# Rules",
    "",
    "Written by `tools/check-rule-docs.ts`; do not edit. The effect is the rule's own: a claim can be weaker or stronger, and the",
    "policy can set another. The names in the last column are of the OWASP MCP Top 10, MITRE ATLAS and OpenSSF SAFE-MCP.",
    "",
    "| rule | gate | effect | confidence | a definition that | taxa |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n")}\n`;
}

function entriesOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const rules = [...descriptionRules, ...schemaRules, ...identityRules];
  if (process.argv.includes("--write")) writeFileSync(join(root, "docs/rules.md"), tableOf(rules));
  const problems = checkRuleDocs(root, rules);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
