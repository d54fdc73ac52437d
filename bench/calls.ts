import { readFileSync } from "node:fs";
import type { Connection } from "./connection.ts";
import { median, quantile } from "./figures.ts";
import type { Server, Stage } from "./stage.ts";

const arms = ["direct", "relay", "countersign"] as const;
type Arm = (typeof arms)[number];

export interface Calls {
  readonly server: Server;
  /** `first`: the first 1,000 of a connection, while V8 still compiles; `warm`: after 5,000; `large`: a result of 1 MB. */
  readonly calls: "first" | "warm" | "large";
  /** Milliseconds, of that connection of an arm that was disturbed the least. */
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

/**
 * Connections of each arm. Where the system happens to put three processes on two cores doubles a latency for as long as
 * they live, so neither one connection nor the median of a few can be compared with another arm's.
 */
const rounds = 8;

/**
 * Calls one tool of one server. The connections of all arms are open together and take turns, so that a busy moment meets all.
 *
 * @param deadline of `performance.now()`, after which no more connections are opened
 */
export async function measureCalls(
  stage: Stage,
  server: Server,
  deadline: number,
): Promise<{ readonly calls: readonly Calls[]; readonly memory: Memory | undefined }> {
  const [first, warm, large] = [new Latencies(), new Latencies(), new Latencies()];
  const resident = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  for (let round = 0; round < rounds && (round < 3 || performance.now() < deadline); round++) {
    const connections = new Map<Arm, Connection>();
    try {
      for (const arm of arms) {
        const connection = stage.connect(server, arm);
        connections.set(arm, connection);
        await connection.initialize();
        await connection.ask("tools/list", "{}");
      }
      first.add(await takeTurns(connections, smallCalls[server], { turns: 4, calls: 250 }));
      for (const [arm, connection] of connections) resident.get(arm)?.push(...residentOf(connection));
      await takeTurns(connections, smallCalls[server], { turns: 16, calls: 250 });
      warm.add(await takeTurns(connections, smallCalls[server], { turns: 4, calls: 250 }));
      if (server === "raw") large.add(await takeTurns(connections, largeCall, { turns: 4, calls: 5 }));
    } finally {
      for (const connection of connections.values()) await connection.close();
    }
  }
  const [relay = [], countersign = []] = [resident.get("relay"), resident.get("countersign")];
  return {
    calls: [
      { server, calls: "first", ...first.summary() },
      { server, calls: "warm", ...warm.summary() },
      ...(server === "raw" ? [{ server, calls: "large" as const, ...large.summary() }] : []),
    ],
    memory: relay.length === 0 ? undefined : { server, relay: median(relay), countersign: median(countersign) },
  };
}

/** All latencies of one connection of each arm. @param calls how many one connection makes before it is the next one's turn */
async function takeTurns(
  connections: ReadonlyMap<Arm, Connection>,
  call: string,
  { turns, calls }: { readonly turns: number; readonly calls: number },
): Promise<ReadonlyMap<Arm, readonly number[]>> {
  const times = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [arm, connection] of connections) {
      for (let count = 0; count < calls; count++) times.get(arm)?.push(await connection.ask("tools/call", call));
    }
  }
  return times;
}

class Latencies {
  readonly #p50 = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  readonly #p99 = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));

  add(times: ReadonlyMap<Arm, readonly number[]>): void {
    for (const [arm, values] of times) {
      this.#p50.get(arm)?.push(quantile(values, 0.5));
      this.#p99.get(arm)?.push(quantile(values, 0.99));
    }
  }

  summary(): Omit<Calls, "server" | "calls"> {
    const least = (all: ReadonlyMap<Arm, readonly number[]>) =>
      new Map([...all].map(([arm, values]) => [arm, Math.min(...values)]));
    const [p50, p99] = [least(this.#p50), least(this.#p99)];
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
