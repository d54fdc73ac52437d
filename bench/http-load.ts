import { readFileSync } from "node:fs";
import { quantile } from "./figures.ts";
import { HttpClient } from "./http-client.ts";
import type { Arm, Reached } from "./http-stage.ts";

/** Of one arm in one of its turns. */
export interface Turn {
  /** Calls in a second. */
  readonly throughput: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of a processor that the process in between took for one call; undefined where the system does not tell. */
  readonly processor: number | undefined;
}

const call = '{"name":"repeat","arguments":{"length":1}}';

/** The hosts of one arm, which all ask at once and each one thing after the other. */
export class Load {
  readonly arm: Arm;
  readonly #pid: number;
  readonly #clients: readonly HttpClient[];

  constructor(arm: Arm, { url, pid }: Reached, hosts: number) {
    this.arm = arm;
    this.#pid = pid;
    this.#clients = Array.from({ length: hosts }, () => new HttpClient(url));
  }

  async open(): Promise<void> {
    for (const client of this.#clients) await client.initialize();
  }

  async run(milliseconds: number): Promise<Turn> {
    // Where a connection was closed because it was idle for so long, it is opened again before anything is measured.
    for (const client of this.#clients) await client.ask("tools/call", call);
    const times: number[] = [];
    const worked = processorOf(this.#pid);
    const start = performance.now();
    const end = start + milliseconds;
    await Promise.all(
      this.#clients.map(async (client) => {
        while (performance.now() < end) times.push(await client.ask("tools/call", call));
      }),
    );
    const took = performance.now() - start;
    const more = processorOf(this.#pid);
    return {
      throughput: times.length / (took / 1_000),
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      processor: worked === undefined || more === undefined ? undefined : (more - worked) / times.length,
    };
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}

/** Milliseconds, in hundredths of a second. Linux tells. */
function processorOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
