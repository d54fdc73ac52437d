import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { median } from "./figures.ts";
import { httpGoalsOf } from "./goals.ts";
import { Load, type Turn } from "./http-load.ts";
import { type Arm, setStage } from "./http-stage.ts";

const usage = `node bench/http.ts [--peers] [--rounds N] [--hosts N] [--bin FILE] [--json]

What a small call over HTTP costs through countersign gateway, beside a byte proxy that looks at nothing: docs/performance.md.

  --peers     measure mcp-proxy and supergateway too; installs them with npm ci
  --rounds N  turns of each arm (default 16)
  --hosts N   hosts that call at once (default 8)
  --bin FILE  the bundled command to measure, instead of building it
  --json      the figures as JSON`;

const root = resolve(import.meta.dirname, "..");
const peers = join(import.meta.dirname, "peers");

/** Milliseconds of a turn, and of what comes before the first, while V8 still compiles. */
const turn = { warm: 3_000, measured: 700 };

/** Of one arm, and its ratios to the byte proxy before the same server: medians over all rounds. */
export interface HttpFigure extends Turn {
  readonly arm: Arm;
  readonly ratio: { readonly throughput: number; readonly p50: number; readonly p99: number };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      peers: { type: "boolean", default: false },
      rounds: { type: "string", default: "16" },
      hosts: { type: "string", default: "8" },
      bin: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const [rounds, hosts] = [Number(values.rounds), Number(values.hosts)];
  if (![rounds, hosts].every((count) => Number.isInteger(count) && count > 0))
    throw new Error("Cannot measure: --rounds and --hosts take a number above 0");
  if (values.peers) npm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
  const before = loadavg()[0] ?? 0;
  const figures = await measure(
    values.bin === undefined ? built() : resolve(values.bin),
    values.peers ? peers : undefined,
    rounds,
    hosts,
  );
  const loads = [before, loadavg()[0] ?? 0];
  process.stdout.write(values.json ? jsonOf(figures, hosts, loads) : tablesOf(figures, rounds, hosts, loads));
}

function npm(...words: readonly string[]): void {
  const { status } = spawnSync("npm", words, { cwd: peers, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) throw new Error(`Cannot install the peers: npm ${words[0]} ended with ${status}`);
}

/** Builds the command, as it is published. */
function built(): string {
  const bin = join(root, "packages/gate/dist/bin.js");
  const { status } = spawnSync(process.execPath, ["tools/build.ts"], { cwd: root, stdio: "inherit" });
  if (status !== 0 || !existsSync(bin)) throw new Error("Cannot measure: the command could not be built");
  return bin;
}

async function measure(
  bin: string,
  peers: string | undefined,
  rounds: number,
  hosts: number,
): Promise<readonly HttpFigure[]> {
  const stage = await setStage(bin, peers);
  const loads = [...stage.reached].map(([arm, reached]) => new Load(arm, reached, hosts));
  try {
    for (const load of loads) await load.open();
    for (const load of loads) await load.run(turn.warm);
    const turns = new Map<Arm, Turn[]>(loads.map(({ arm }) => [arm, []]));
    for (let round = 0; round < rounds; round++) {
      for (const load of loads) turns.get(load.arm)?.push(await load.run(turn.measured));
    }
    return figuresOf(turns);
  } finally {
    for (const load of loads) load.close();
    await stage.clear();
  }
}

/** Ratios are taken within a round, so that a busy moment is no figure of anybody's. */
function figuresOf(turns: ReadonlyMap<Arm, readonly Turn[]>): readonly HttpFigure[] {
  return [...turns].map(([arm, own]) => {
    const proxied = turns.get(arm.endsWith(", sdk") ? "byte proxy, sdk" : "byte proxy") ?? [];
    const ratio = (of: (turn: Turn) => number) =>
      median(own.map((one, round) => of(one) / of(proxied[round] ?? { ...one, throughput: 0, p50: 0, p99: 0 })));
    const [throughput, p50, p99] = [
      (one: Turn) => one.throughput,
      (one: Turn) => one.p50,
      (one: Turn) => one.p99,
    ] as const;
    const worked = own.map(({ processor }) => processor).filter((one) => one !== undefined);
    return {
      arm,
      throughput: median(own.map(throughput)),
      p50: median(own.map(p50)),
      p99: median(own.map(p99)),
      processor: worked.length === 0 ? undefined : median(worked),
      ratio: { throughput: ratio(throughput), p50: ratio(p50), p99: ratio(p99) },
    };
  });
}

function jsonOf(figures: readonly HttpFigure[], hosts: number, load: readonly number[]): string {
  const machine = { node: process.version, cores: availableParallelism(), load };
  return `${JSON.stringify({ version: 1, ...machine, hosts, figures, goals: httpGoalsOf(figures) }, undefined, 2)}\n`;
}

function tablesOf(figures: readonly HttpFigure[], rounds: number, hosts: number, loads: readonly number[]): string {
  const row = (cells: readonly string[]) => {
    const [first = "", ...others] = cells;
    return `  ${first.padEnd(22)}${others.map((cell) => cell.padStart(12)).join("")}\n`;
  };
  const us = (milliseconds: number | undefined) =>
    milliseconds === undefined ? "" : (milliseconds * 1_000).toFixed(0);
  const goals = httpGoalsOf(figures);
  return (
    `Node ${process.version}, ${availableParallelism()} cores, load ${loads.map((load) => load.toFixed(1)).join(" to ")}\n\n` +
    `Small calls of ${hosts} hosts at once (medians of ${rounds} turns of ${turn.measured} ms; times in microseconds)\n` +
    row(["", "calls/s", "p50", "p99", "processor", "x calls/s", "x p50", "x p99"]) +
    figures
      .map(({ arm, throughput, p50, p99, processor, ratio }) =>
        row([
          ...[arm, throughput.toFixed(0), us(p50), us(p99), us(processor)],
          ...[ratio.throughput, ratio.p50, ratio.p99].map((one) => one.toFixed(2)),
        ]),
      )
      .join("") +
    `\nGoals\n${goals
      .map(
        ({ what, goal, figure, met }) =>
          `  ${what.padEnd(46)}${goal.padStart(10)}${figure.toFixed(2).padStart(8)}  ${met ? "met" : "MISSED"}\n`,
      )
      .join("")}`
  );
}

await main();
