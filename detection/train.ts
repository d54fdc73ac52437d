import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buckets } from "../packages/judge/src/model/features.ts";
import { modelDigest, type StoredModel } from "../packages/judge/src/model/model.ts";
import { readAuthored } from "./authored.ts";
import { type Row, rowsOf } from "./bags.ts";
import { readCorpus } from "./corpus.ts";
import { leaveOut, parts } from "./folds.ts";
import { learn } from "./learn.ts";
import { runMain } from "./run-main.ts";
import { thresholdOf } from "./threshold.ts";

const usage = `node detection/train.ts --corpus DIR [--out FILE]

Learns the model of the rule reads-as-order from a corpus and from detection/authored, and writes it to
packages/judge/src/model/trained.ts. The same data make the same model: docs/model.md.

  --out FILE  writes it there instead`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { corpus: { type: "string" }, out: { type: "string" }, help: { type: "boolean", default: false } },
  });
  if (values.help || values.corpus === undefined) {
    process.stdout.write(`${usage}\n`);
    process.exitCode = values.help ? 0 : 3;
    return;
  }
  const corpus = await readCorpus(values.corpus);
  const rows = rowsOf(corpus, await readAuthored(join(import.meta.dirname, "authored")));
  const threshold = thresholdOf(corpus, leaveOut(rows, parts).scores);
  const { bias, weights } = learn(rows);
  const stored = storedModel(bias - threshold, weights);
  await writeFile(values.out ?? join(import.meta.dirname, "../packages/judge/src/model/trained.ts"), moduleOf(stored));
  const used = weights.reduce((sum, weight) => sum + (weight === 0 ? 0 : 1), 0);
  process.stdout.write(
    `${summaryOf(rows)}\n${used} of ${buckets} weights, asks from ${threshold.toFixed(3)} on\n${modelDigest(stored)}\n`,
  );
}

function storedModel(bias: number, weights: Float64Array): StoredModel {
  const step = Number((weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127).toPrecision(6));
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / step));
  return { bias: Number(bias.toFixed(6)), step, weights: Buffer.from(bytes.buffer).toString("base64") };
}

function moduleOf({ bias, step, weights }: StoredModel): string {
  return [
    'import type { StoredModel } from "./model.ts";',
    "",
    "/** Written by `npm run train`; do not edit. docs/model.md says what it was learned from. */",
    "// biome-ignore format: one line",
    `export const trained: StoredModel = { bias: ${bias}, step: ${step}, weights: "${weights}" };`,
    "",
  ].join("\n");
}

function summaryOf(rows: readonly Row[]): string {
  const counts = Map.groupBy(rows, ({ label, of }) => `${label}, ${of === undefined ? "authored" : "corpus"}`);
  return [...counts].map(([what, those]) => `${String(those.length).padStart(6)} ${what}`).join("\n");
}

await runMain(main);
