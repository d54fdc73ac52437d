import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureCalls } from "./calls.ts";
import { type Figures, goalsOf } from "./goals.ts";
import { measureJudging } from "./judging.ts";
import { servers, setStage } from "./stage.ts";
import { measureStartUp } from "./start-up.ts";

const usage = `node bench/stdio.ts [--runs N] [--captures DIR] [--bin FILE] [--json]

What one guarded stdio server costs, beside a byte relay that looks at nothing: docs/performance.md.

  --runs N        starts of each arm (default 15)
  --captures DIR  judge the tool lists captured in this folder too
  --bin FILE      the bundled command to measure, instead of building it
  --json          the figures as JSON`;

const root = resolve(import.meta.dirname, "..");

/** Milliseconds for all starts, and for all calls. A busy machine gets fewer rounds. */
const budget = { starts: 44_000, calls: 36_000 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "15" },
      captures: { type: "string" },
      bin: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("Cannot measure: --runs takes a number of starts");
  const loads = [loadavg()[0] ?? 0];
  const figures = await measure(values.bin ?? built(), runs, values.captures);
  loads.push(loadavg()[0] ?? 0);
  process.stdout.write(values.json ? jsonOf(figures, loads) : tablesOf(figures, loads));
}

/** Builds the command, as it is published. */
function built(): string {
  const bin = join(root, "packages/gate/dist/bin.js");
  const { status } = spawnSync(process.execPath, ["tools/build.ts"], { cwd: root, stdio: "inherit" });
  if (status !== 0 || !existsSync(bin)) throw new Error("Cannot measure: the command could not be built");
  return bin;
}

async function measure(bin: string, runs: number, captures: string | undefined): Promise<Figures> {
  const stage = await setStage(bin);
  try {
    const share = (all: number) => performance.now() + all / servers.length;
    const startUp = [];
    for (const server of servers) startUp.push(...(await measureStartUp(stage, server, runs, share(budget.starts))));
    const called = [];
    for (const server of servers) called.push(await measureCalls(stage, server, share(budget.calls)));
    return {
      startUp,
      calls: called.flatMap(({ calls }) => calls),
      memory: called.flatMap(({ memory }) => memory ?? []),
      judging: captures === undefined ? [] : await measureJudging(captures),
    };
  } finally {
    stage.clear();
  }
}

function jsonOf(figures: Figures, loads: readonly number[]): string {
  const machine = { node: process.version, cores: availableParallelism(), load: loads };
  const report = { version: 1, ...machine, ...figures, goals: goalsOf(figures) };
  return `${JSON.stringify(report, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value), 2)}\n`;
}

function tablesOf(figures: Figures, loads: readonly number[]): string {
  const { startUp, calls, memory, judging } = figures;
  const ms = (value: number | undefined) => (value ?? Number.NaN).toFixed(1);
  const us = (value: number | undefined) => ((value ?? Number.NaN) * 1_000).toFixed(0);
  const x = (value: number) => value.toFixed(2);
  const latencies = (times: ReadonlyMap<string, number>) => {
    const [direct, relay, countersign] = ["direct", "relay", "countersign"].map((arm) => times.get(arm));
    return [us(direct), us(relay), us(countersign), us((countersign ?? Number.NaN) - (relay ?? Number.NaN))];
  };
  const sections = [
    `Node ${process.version}, ${availableParallelism()} cores, load ${loads.map((load) => load.toFixed(1)).join(" to ")}`,
    table(
      `Start-up to the answer, ms (medians of ${startUp.map(({ rounds }) => rounds).join("/")} rounds)`,
      ["server", "answer", "direct", "relay", "countersign", "added", "ratio", "by a config", "by the load checkpoint"],
      startUp.map(({ server, until, arms, added, byConfig, byLoadCheckpoint }) => [
        ...[server, until, ms(arms.get("direct")), ms(arms.get("relay")), ms(arms.get("countersign")), ms(added)],
        ...[x((arms.get("countersign") ?? Number.NaN) / (arms.get("relay") ?? Number.NaN))],
        ...[ms(byConfig), ms(byLoadCheckpoint)],
      ]),
    ),
    table(
      "Calls, microseconds",
      ["server", "calls", "", "direct", "relay", "countersign", "added", "ratio"],
      calls.flatMap(({ server, calls, p50, p99, ratio }) => [
        [server, calls, "p50", ...latencies(p50), x(ratio.p50)],
        ["", "", "p99", ...latencies(p99), x(ratio.p99)],
      ]),
    ),
    table(
      "Resident after 1,000 calls, MB",
      ["server", "relay", "countersign"],
      memory.map(({ server, relay, countersign }) => [server, ms(relay), ms(countersign)]),
    ),
    table(
      "Cold judging of captured tool lists",
      ["tools", "MB", "ms", "ms a MB", "over JSON.parse and SHA-256"],
      judging.map(({ tools, bytes, judging, parsingAndHashing }) => [
        ...[String(tools), (bytes / 1e6).toFixed(2), ms(judging), ms(judging / (bytes / 1e6))],
        x(judging / parsingAndHashing),
      ]),
    ),
    table(
      "Goals",
      ["", "goal", "measured", ""],
      goalsOf(figures).map(({ what, goal, figure, met }) => [what, goal, x(figure), met ? "met" : "MISSED"]),
    ),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

/** The first column to the left, the others to the right; nothing without rows. */
function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [title, ...[head, ...rows].map((row) => `  ${line(row)}`)].join("\n");
}

await main();
