import { readFileSync } from "node:fs";
import type { Connection } from "./connection.ts";
import { median, quantile } from "./figures.ts";
import type { Server, Stage } from "./stage.ts";

const arms = ["direct", "relay", "countersign"] as const;
type Arm = (typeof arms)[number];

export interface Calls {
  readonly server: Server;
  readonly size: "small" | "1 MB";
  /** Milliseconds: medians over the connections of an arm. */
  readonly p50: ReadonlyMap<Arm, number>;
  readonly p99: ReadonlyMap<Arm, number>;
  /** Countersign over the relay. */
  readonly ratio: { readonly p50: number; readonly p99: number };
}

/** Megabytes that are resident after the handshake, the list and 1,000 calls. */
export interface Memory {
  readonly server: Server;
  readonly relay: number;
  readonly countersign: number;
}

const smallCalls: Readonly<Record<Server, string>> = {
  raw: '{"name":"repeat","arguments":{"length":1}}',
  memory: '{"name":"search_nodes","arguments":{"query":"a"}}',
};
const largeCall = '{"name":"repeat","arguments":{"length":1000000}}';

/** Connections of each arm. Where the system happens to put three processes on two cores doubles a latency. */
const rounds = 6;
const warmUp = 1_000;
const blocks = 8;

/** Calls one tool of one server. The connections of all arms are open together and take turns, so that a busy moment meets all. */
export async function measureCalls(
  stage: Stage,
  server: Server,
): Promise<{ readonly calls: readonly Calls[]; readonly memory: Memory | undefined }> {
  const small = new Latencies();
  const large = new Latencies();
  const resident = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  for (let round = 0; round < rounds; round++) {
    const connections = new Map<Arm, Connection>();
    try {
      for (const arm of arms) {
        const connection = stage.connect(server, arm);
        connections.set(arm, connection);
        await connection.initialize();
        await connection.ask("tools/list", "{}");
        for (let call = 0; call < warmUp; call++) await connection.ask("tools/call", smallCalls[server]);
        resident.get(arm)?.push(...residentOf(connection));
      }
      await small.add(connections, smallCalls[server], 50);
      if (server === "raw") await large.add(connections, largeCall, 2);
    } finally {
      for (const connection of connections.values()) await connection.close();
    }
  }
  const [relay = [], countersign = []] = [resident.get("relay"), resident.get("countersign")];
  return {
    calls: [
      { server, size: "small", ...small.summary() },
      ...(server === "raw" ? [{ server, size: "1 MB" as const, ...large.summary() }] : []),
    ],
    memory: relay.length === 0 ? undefined : { server, relay: median(relay), countersign: median(countersign) },
  };
}

class Latencies {
  readonly #p50 = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  readonly #p99 = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));

  /** Measures one connection of each arm. @param size calls in a row */
  async add(connections: ReadonlyMap<Arm, Connection>, call: string, size: number): Promise<void> {
    const times = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
    for (let block = 0; block < blocks; block++) {
      for (const [arm, connection] of connections) {
        for (let turn = 0; turn < size; turn++) times.get(arm)?.push(await connection.ask("tools/call", call));
      }
    }
    for (const [arm, values] of times) {
      this.#p50.get(arm)?.push(quantile(values, 0.5));
      this.#p99.get(arm)?.push(quantile(values, 0.99));
    }
  }

  summary(): Omit<Calls, "server" | "size"> {
    const medians = (all: ReadonlyMap<Arm, readonly number[]>) =>
      new Map([...all].map(([arm, values]) => [arm, median(values)]));
    const [p50, p99] = [medians(this.#p50), medians(this.#p99)];
    return { p50, p99, ratio: { p50: overRelay(p50), p99: overRelay(p99) } };
  }
}

function overRelay(values: ReadonlyMap<Arm, number>): number {
  return (values.get("countersign") ?? Number.NaN) / (values.get("relay") ?? Number.NaN);
}

/** Linux tells; elsewhere it is not measured. */
function residentOf({ pid }: Connection): readonly number[] {
  if (process.platform !== "linux") return [];
  const kilobytes = /^VmRSS:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return kilobytes === undefined ? [] : [Number(kilobytes) / 1024];
}
