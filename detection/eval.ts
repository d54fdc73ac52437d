import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readAuthored } from "./authored.ts";
import { readCorpus } from "./corpus.ts";
import { type Evaluation, evaluate, type Judge, type Line } from "./evaluate.ts";
import { judgeTools } from "./judge-tools.ts";
import { judgeLeftOut } from "./left-out.ts";
import { runMain } from "./run-main.ts";

const usage = `node detection/eval.ts --corpus DIR [--left-out] [--json] [--rows FILE]

How well the description gate tells instruction-shaped prose from honest definitions: docs/detection.md.
DIR holds attacks.jsonl, benign.jsonl, and perhaps benign-catalogue-sample.jsonl and drift.jsonl.

  --left-out   every row is judged by a model that has learned nothing from the place where the row was found
  --json       the figures as JSON
  --rows FILE  also writes the ids of the rows that were missed or disturbed`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      corpus: { type: "string" },
      json: { type: "boolean", default: false },
      "left-out": { type: "boolean", default: false },
      rows: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || values.corpus === undefined) {
    process.stdout.write(`${usage}\n`);
    process.exitCode = values.help ? 0 : 3;
    return;
  }
  const corpus = await readCorpus(values.corpus);
  const judge: Judge = values["left-out"]
    ? judgeLeftOut(corpus, await readAuthored(join(import.meta.dirname, "authored")))
    : (tools, _, approved) => judgeTools(tools, approved);
  const evaluation = evaluate(corpus, judge);
  const { report, ...rows } = evaluation;
  if (values.rows !== undefined) await writeFile(values.rows, `${JSON.stringify(rows, undefined, 1)}\n`);
  process.stdout.write(values.json ? `${JSON.stringify(report, undefined, 2)}\n` : tableOf(report));
}

function tableOf({ prose, benign, drift, pairs, ...lines }: Evaluation["report"]): string {
  const rows = [
    "                                             refuse     ask",
    `attacks in prose, mean over templates     ${percent(prose.refuse.templates)} ${percent(prose.ask.templates)}`,
    `attacks in prose, rows                    ${percent(prose.refuse.rows)} ${percent(prose.ask.rows)}`,
    `real tools disturbed                      ${percent(benign.refuse.tool)} ${percent(benign.ask.tool)}`,
    `real servers disturbed                    ${percent(benign.refuse.server)} ${percent(benign.ask.server)}`,
    "",
    `pairs: the attack raised, its twin passed         ${percent(pairs.both)} of ${pairs.of}`,
    `changes that raise something new, malicious       ${percent(drift.malicious)}`,
    `changes that raise something new, benign          ${percent(drift.benign)}`,
    ...block("Attacks in prose, by source", lines.bySource),
    ...block("Attacks in prose, by kind", lines.byKind),
    ...block("Other attacks, by scope", lines.otherScopes),
    ...block("Real benign tools, by source", lines.benignBySource),
    ...block("Other benign tools", lines.otherBenign),
    "",
    `${"Rows that a rule raises".padEnd(60)} attacks  benign`,
    ...Object.entries(lines.byRule).map(
      ([rule, { attacks, benign: harmless }]) =>
        `  ${rule.padEnd(58)} ${String(attacks).padStart(7)} ${String(harmless).padStart(7)}`,
    ),
  ];
  return `${rows.join("\n")}\n`;
}

function block(title: string, lines: Readonly<Record<string, Line>>): readonly string[] {
  return [
    "",
    `${title.padEnd(60)}    rows  refuse     ask`,
    ...Object.entries(lines).map(
      ([name, { rows, refuse, ask }]) =>
        `  ${name.slice(0, 58).padEnd(58)} ${String(rows).padStart(7)} ${percent(refuse)} ${percent(ask)}`,
    ),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`.padStart(7);
}

await runMain(main);
