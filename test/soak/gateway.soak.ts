import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { approve } from "../rig/approve.ts";
import { Child } from "../rig/child.ts";
import { freePort } from "../rig/free-port.ts";
import { type Gateway, gatewayIn } from "../rig/gateway.ts";
import { residentMegabytes } from "../rig/memory.ts";
import { fixture, type Place } from "../rig/place.ts";
import { processesWith } from "../rig/processes.ts";
import { test } from "../rig/test.ts";
import { CrowdHost, type Outcome } from "./crowd-host.ts";

/**
 * A thousand hosts at two servers, of which one is reached over HTTP and one is a process that they share. Midway one tool of
 * each drifts, the server and then the process are killed. A minute of it; a quarter of that with 200 hosts when short.
 */
const long = process.env["COUNTERSIGN_SOAK"] === "long";
const load = long ? { hosts: 1_000, seconds: 60, perSecond: 200 } : { hosts: 200, seconds: 15, perSecond: 200 };
const largeBytes = long ? 1_000_000_000 : 250_000_000;

interface Setting {
  readonly gateway: Gateway;
  readonly upstreamPort: number;
  readonly upstream: () => Promise<Child>;
  readonly drift: () => void;
  readonly marker: string;
}

async function setUp(place: Place): Promise<Setting> {
  const marker = join(place.folder, "drifted");
  const upstreamPort = await freePort();
  const upstream = async () => {
    const child = new Child(fixture("drifting-server.ts", marker, String(upstreamPort)), {
      cwd: place.folder,
      env: place.env,
    });
    await child.says(/listening/);
    return child;
  };
  const [command, ...args] = fixture("drifting-server.ts", marker);
  const gateway = await gatewayIn(place, {
    servers: {
      remote: { url: `http://127.0.0.1:${upstreamPort}/mcp` },
      local: { command, args, share: "everyone" },
    },
    gateway: { limits: { sessions: 2_000, streams: 4_000, connections: 8_000 } },
  });
  return { gateway, upstreamPort, upstream, marker, drift: () => writeFileSync(marker, "") };
}

const servers = ["remote", "local"] as const;

test("[soak.gateway] a thousand hosts, a drift, and two kills", async ({ place }) => {
  const { gateway, upstream, drift, marker } = await setUp(place);
  let server = await upstream();
  const given = { texts: 0, poisoned: [] as string[] };
  const lost: string[] = [];
  const killedAt = new Map<string, number>(servers.map((name) => [name, 0]));
  const crowdOf = (name: string) => ({
    given: (text: string) => {
      given.texts++;
      if (text.includes("POISON")) given.poisoned.push(text.slice(0, 500));
    },
    lost: (what: string) => lost.push(`${name}, ${what}`),
    killedAt: () => killedAt.get(name) ?? 0,
  });
  try {
    for (const name of servers) {
      const first = new CrowdHost(gateway.url(name), crowdOf(name));
      await first.open();
      await first.ask("tools/list");
      await setTimeout(300);
      first.close();
      await approve(place, name);
    }
    const hosts = Array.from({ length: load.hosts }, (_, index) => {
      const name = servers[index % servers.length] ?? "remote";
      return { name, host: new CrowdHost(gateway.url(name), crowdOf(name)) };
    });
    for (let at = 0; at < hosts.length; at += 20) {
      await Promise.all(hosts.slice(at, at + 20).map(({ host }) => host.open()));
    }
    await Promise.all(hosts.map(({ host }) => host.ask("tools/list")));
    const opened = residentMegabytes(gateway.child.pid);

    const outcomes = new Map<string, number>();
    const count = (what: string, outcome: Outcome) => {
      outcomes.set(`${what} ${outcome}`, (outcomes.get(`${what} ${outcome}`) ?? 0) + 1);
    };
    const asked: Promise<void>[] = [];
    let most = opened;
    let sent = 0;
    const start = performance.now();
    const events = [
      { at: 0.25, does: drift },
      {
        at: 0.5,
        does: () => {
          killedAt.set("remote", performance.now());
          process.kill(server.pid, "SIGKILL");
          void setTimeout(1_000).then(async () => {
            server = await upstream();
          });
        },
      },
      {
        at: 0.75,
        does: () => {
          killedAt.set("local", performance.now());
          for (const pid of sharedProcesses(marker)) process.kill(pid, "SIGKILL");
        },
      },
    ];
    let driftedAt = Number.POSITIVE_INFINITY;
    for (;;) {
      const elapsed = (performance.now() - start) / 1_000;
      if (elapsed > load.seconds) break;
      while (events[0] !== undefined && elapsed > events[0].at * load.seconds) {
        events.shift()?.does();
        if (events.length === 2) driftedAt = performance.now();
      }
      for (; sent < elapsed * load.perSecond; sent++) {
        const { name, host } = hosts[Math.floor(Math.random() * hosts.length)] ?? expect.unreachable();
        const turn = sent % 10;
        const what = turn < 7 ? "steady" : turn < 9 ? "list" : "drifts";
        // A host that was told of the drift, or had time to be, calls it in vain.
        const late = what === "drifts" && performance.now() > driftedAt + 3_000;
        const asking = what === "list" ? host.ask("tools/list") : host.call(what);
        asked.push(asking.then((outcome) => count(`${name} ${what}${late ? " after its drift" : ""}`, outcome)));
      }
      most = Math.max(most, residentMegabytes(gateway.child.pid));
      await setTimeout(5);
    }
    await Promise.all(asked);
    const last = await Promise.all(hosts.map(({ host }) => host.call("steady")));
    const changes = hosts.filter(({ name, host }) => name === "remote" && host.changes > 0).length;
    for (const { host } of hosts) host.close();

    console.log(
      [
        `${load.hosts} hosts, ${sent} requests: ${[...outcomes].map(([what, n]) => `${n} ${what}`).join(", ")}`,
        `resident: ${opened.toFixed(0)} MB when all were there, ${most.toFixed(0)} at most`,
        `${given.texts} texts given, ${changes} hosts told of the change`,
      ].join("\n"),
    );
    expect(given.poisoned).toEqual([]);
    expect(lost).toEqual([]);
    expect(new Set(last)).toEqual(new Set(["result"]));
    for (const name of servers) {
      expect(outcomes.get(`${name} drifts result`)).toBeGreaterThan(0);
      expect(outcomes.get(`${name} drifts after its drift refused`)).toBeGreaterThan(0);
      expect(outcomes.get(`${name} drifts after its drift result`)).toBeUndefined();
      expect(outcomes.get(`${name} steady refused`)).toBeUndefined();
    }
    expect(most).toBeLessThan(mostMegabytes);
  } finally {
    await gateway.close();
    await server.end("SIGKILL");
  }
});

test("[soak.large] a result of a gigabyte within 50 MB", async ({ place }) => {
  const { gateway, upstream } = await setUp(place);
  const server = await upstream();
  const host = new CrowdHost(gateway.url("remote"), {
    given: () => undefined,
    lost: () => undefined,
    killedAt: () => 0,
  });
  try {
    await host.open();
    await host.ask("tools/list");
    await setTimeout(300);
    await approve(place, "remote");
    await host.count("large", { length: 20_000_000 });
    const before = residentMegabytes(gateway.child.pid);
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, residentMegabytes(gateway.child.pid));
    }, 20);
    const start = performance.now();
    const bytes = await host.count("large", { length: largeBytes });
    const seconds = (performance.now() - start) / 1_000;
    clearInterval(watch);
    console.log(
      `${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s; resident: ${before.toFixed(0)} MB before, ${most.toFixed(0)} at most`,
    );
    expect(bytes).toBeGreaterThan(largeBytes);
    expect(most - before).toBeLessThan(50);
  } finally {
    host.close();
    await gateway.close();
    await server.end("SIGKILL");
  }
});

/** Megabytes that the gateway may have resident with all hosts there. */
const mostMegabytes = 400;

/** The process that all hosts of `local` share: it has the marker and no port. */
function sharedProcesses(marker: string): readonly number[] {
  const pids = processesWith(`${marker} `)
    .filter((line) => line.trimEnd().endsWith(marker))
    .map((line) => Number.parseInt(line, 10));
  if (pids.length === 0) throw new Error("the shared process is not there");
  return pids;
}
