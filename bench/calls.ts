import { readFileSync } from "node:fs";
import type { Connection } from "./connection.ts";
import { median, quantile } from "./figures.ts";
import type { Server, Stage } from "./stage.ts";

const arms = ["direct", "relay", "countersign"] as const;
type Arm = (typeof arms)[number];

/** Latencies in milliseconds. */
export interface Calls {
  readonly server: Server;
  readonly size: "small" | "1 MB";
  readonly calls: number;
  readonly p50: ReadonlyMap<Arm, number>;
  readonly p99: ReadonlyMap<Arm, number>;
  /** Countersign over the relay: the median over blocks of calls of the ratio of their medians; and of all p99. */
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

/** Calls one tool of one server through all arms, in blocks that take turns, so that a busy moment meets all of them. */
export async function measureCalls(
  stage: Stage,
  server: Server,
): Promise<{ readonly calls: readonly Calls[]; readonly memory: Memory | undefined }> {
  const connections = new Map<Arm, Connection>();
  try {
    for (const arm of arms) {
      const connection = stage.connect(server, arm);
      connections.set(arm, connection);
      await connection.initialize();
      await connection.ask("tools/list", "{}");
      for (let warm = 0; warm < 1_000; warm++) await connection.ask("tools/call", smallCalls[server]);
    }
    const memory = memoryOf(server, connections);
    const small = await inBlocks(connections, smallCalls[server], { blocks: 40, size: 50 });
    const calls: Calls[] = [{ server, size: "small", ...small }];
    if (server === "raw") {
      calls.push({ server, size: "1 MB", ...(await inBlocks(connections, largeCall, { blocks: 20, size: 3 })) });
    }
    return { calls, memory };
  } finally {
    for (const connection of connections.values()) await connection.close();
  }
}

async function inBlocks(
  connections: ReadonlyMap<Arm, Connection>,
  call: string,
  { blocks, size }: { readonly blocks: number; readonly size: number },
): Promise<Omit<Calls, "server" | "size">> {
  const all = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  const ratios: number[] = [];
  for (let block = 0; block < blocks; block++) {
    const medians = new Map<Arm, number>();
    for (const [arm, connection] of connections) {
      const times: number[] = [];
      for (let turn = 0; turn < size; turn++) times.push(await connection.ask("tools/call", call));
      all.get(arm)?.push(...times);
      medians.set(arm, median(times));
    }
    ratios.push((medians.get("countersign") ?? Number.NaN) / (medians.get("relay") ?? Number.NaN));
  }
  const at = (share: number) => new Map([...all].map(([arm, times]) => [arm, quantile(times, share)]));
  const p99 = at(0.99);
  return {
    calls: blocks * size,
    p50: at(0.5),
    p99,
    ratio: { p50: median(ratios), p99: (p99.get("countersign") ?? Number.NaN) / (p99.get("relay") ?? Number.NaN) },
  };
}

function memoryOf(server: Server, connections: ReadonlyMap<Arm, Connection>): Memory | undefined {
  const [relay, countersign] = [residentOf(connections.get("relay")), residentOf(connections.get("countersign"))];
  return relay === undefined || countersign === undefined ? undefined : { server, relay, countersign };
}

/** Linux tells; elsewhere it is not measured. */
function residentOf(connection: Connection | undefined): number | undefined {
  if (process.platform !== "linux" || connection === undefined) return undefined;
  const status = readFileSync(`/proc/${connection.pid}/status`, "utf8");
  const kilobytes = /^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
