import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ServerName } from "@countersign/core";
import { openSqlite } from "@countersign/ledger";
import { settingsOf } from "../packages/gate/src/config.ts";
import { readCapturedOffers } from "../packages/gate/src/prove/captured-offers.ts";
import { seededRandom } from "../packages/gate/src/prove/random.ts";
import { respell, spellings } from "../packages/gate/src/prove/respell.ts";
import { locate } from "../packages/gate/src/prove/spot.ts";
import { median } from "./figures.ts";
import { GuardedList } from "./guarded-list.ts";

const usage = `node bench/offer.ts --captures DIR [--rounds N] [--json]

What a list of tools costs from the server's line to the host's, in multiples of JSON.parse and SHA-256 over the same
bytes: docs/performance.md. DIR holds captured offers, in the form that countersign prove --offers takes.

  --rounds N  how often each list is given (default 21)
  --json      the figures as JSON`;

interface Captured {
  readonly server: ServerName;
  /** The result of `tools/list`, as JSON text. */
  readonly result: string;
}

/** Milliseconds: the sum of the medians of all lists. The cold ones are measured once. */
interface Arm {
  readonly what: string;
  readonly took: number;
  /** `JSON.parse` and SHA-256 over the same bytes, measured in the same way. */
  readonly parsing: number;
  /** Milliseconds of all threads' time on a processor, which other programs do not lengthen as much. */
  readonly cpu?: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      captures: { type: "string" },
      rounds: { type: "string", default: "21" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || values.captures === undefined) {
    process.stdout.write(`${usage}\n`);
    process.exitCode = values.help ? 0 : 3;
    return;
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("Cannot measure: --rounds takes a number");
  const lists: Captured[] = [];
  for (const { server, source, pages } of await readCapturedOffers(values.captures)) {
    const [result, ...others] = pages;
    if (source !== "tools/list" || result === undefined) continue;
    if (others.length > 0) throw new Error(`Cannot measure: the list of ${server} has several pages`);
    lists.push({ server, result });
  }
  const loads = [loadavg()[0] ?? 0];
  const folder = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  try {
    const figures = await measure(lists, rounds, join(folder, "ledger.db"));
    loads.push(loadavg()[0] ?? 0);
    process.stdout.write(values.json ? jsonOf(figures, loads) : tableOf(figures, loads));
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Figures {
  readonly lists: number;
  readonly tools: number;
  readonly bytes: number;
  readonly arms: readonly Arm[];
}

async function measure(lists: readonly Captured[], rounds: number, path: string): Promise<Figures> {
  let time = Date.now();
  const now = () => time;
  const ledger = await openSqlite(path, { now });
  const connections: { readonly list: GuardedList; readonly captured: Captured }[] = [];
  try {
    // First of all, while V8 has compiled nothing.
    const coldParsing = sum(lists.map(({ result }) => parse(result)));
    let cold = 0;
    let cpu = 0;
    for (const captured of lists) {
      const settings = await settingsOf(captured.server, join(path, "..", "none.jsonc"), false);
      const list = new GuardedList({ server: captured.server, ledger, settings, now });
      connections.push({ list, captured });
      const before = process.cpuUsage();
      cold += (await list.list(captured.result)).took;
      const { user, system } = process.cpuUsage(before);
      cpu += (user + system) / 1_000;
    }
    for (const { list } of connections) await list.approve();
    for (const { list, captured } of connections) {
      const { line } = await list.list(captured.result);
      if (toolsIn(line) !== toolsIn(captured.result)) throw new Error(`${captured.server} is not served whole`);
    }

    const largest = lists.reduce((a, b) => (b.result.length > a.result.length ? b : a));
    const arms: readonly { readonly what: string; readonly of: (captured: Captured, round: number) => string }[] = [
      { what: "unchanged", of: ({ result }) => result },
      {
        what: "one tool changed, in the largest list",
        of: (captured, round) => (captured === largest ? oneChanged(captured, round) : captured.result),
      },
      { what: "one tool of every list changed", of: oneChanged },
      { what: "all respelled", of: respelled },
    ];
    const measured = arms.map(() => lists.map(() => ({ took: [] as number[], parsing: [] as number[] })));
    for (let round = 0; round < rounds; round++) {
      for (const [arm, { of }] of arms.entries()) {
        // What is new in a list is journalled, and a server may bring only so much within an hour.
        time += 3_600_000;
        for (const { list, captured } of connections) await list.list(captured.result);
        for (const [index, { list, captured }] of connections.entries()) {
          const result = of(captured, round);
          const times = measured[arm]?.[index];
          times?.parsing.push(parse(result));
          times?.took.push((await list.list(result)).took);
        }
      }
    }
    return {
      lists: lists.length,
      tools: sum(lists.map(({ result }) => toolsIn(result))),
      bytes: sum(lists.map(({ result }) => Buffer.byteLength(result))),
      arms: [
        ...arms.map(({ what }, arm) => ({
          what,
          took: sum((measured[arm] ?? []).map(({ took }) => median(took))),
          parsing: sum((measured[arm] ?? []).map(({ parsing }) => median(parsing))),
        })),
        { what: "cold, with all gates and the journal", took: cold, parsing: coldParsing, cpu },
      ],
    };
  } finally {
    for (const { list } of connections) list.close();
    await ledger.close();
  }
}

/** Milliseconds that `JSON.parse` and SHA-256 take. The text is decoded already; Countersign begins with the bytes. */
function parse(text: string): number {
  const bytes = Buffer.from(text);
  const start = performance.now();
  JSON.parse(text);
  createHash("sha256").update(bytes).digest("hex");
  return performance.now() - start;
}

function toolsIn(text: string | Buffer): number {
  const message = JSON.parse(text.toString());
  return (message.result ?? message).tools.length;
}

/** Another tool each round has something behind its description. */
function oneChanged({ result }: Captured, round: number): string {
  const { tools, ...rest } = JSON.parse(result);
  const tool = tools[round % tools.length];
  tool.description = `${tool.description ?? ""} It is version ${round}.`;
  return JSON.stringify({ tools, ...rest });
}

function respelled({ server, result }: Captured, round: number): string {
  const spelling = spellings.find(({ name }) => name === "all");
  if (spelling === undefined) throw new Error("there is no spelling of everything");
  return respell(result, locate(result), spelling, seededRandom(`${server} ${round}`));
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function jsonOf(figures: Figures, loads: readonly number[]): string {
  const machine = { node: process.version, cores: availableParallelism(), load: loads };
  return `${JSON.stringify({ version: 1, ...machine, ...figures }, undefined, 2)}\n`;
}

function tableOf({ lists, tools, bytes, arms }: Figures, loads: readonly number[]): string {
  const width = Math.max(...arms.map(({ what }) => what.length));
  const row = (cells: readonly string[]) =>
    `  ${cells
      .map((cell, column) => (column === 0 ? cell.padEnd(width) : cell.padStart(16)))
      .join("")
      .trimEnd()}`;
  return [
    `Node ${process.version}, ${availableParallelism()} cores, load ${loads.map((load) => load.toFixed(1)).join(" to ")}`,
    "",
    `${tools} tools in ${lists} lists, ${(bytes / 1e6).toFixed(2)} MB, ms for all of them`,
    row(["offer", "parse and hash", "countersign", "ratio", "processor"]),
    ...arms.map(({ what, took, parsing, cpu }) =>
      row([what, parsing.toFixed(1), took.toFixed(1), (took / parsing).toFixed(2), cpu?.toFixed(0) ?? ""]),
    ),
    "",
  ].join("\n");
}

await main();
