import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approve } from "./rig/approve.ts";
import { eventually } from "./rig/eventually.ts";
import { type Gateway, gatewayIn } from "./rig/gateway.ts";
import { type HttpExchange, HttpHost } from "./rig/http-host.ts";
import { fixture, openPlace, type Place } from "./rig/place.ts";

const shares = ["session", "principal", "everyone"] as const;

let place: Place;
let gateway: Gateway;
const keys = { ada: "", ben: "" };
const hosts: HttpHost[] = [];

beforeAll(async () => {
  place = openPlace();
  for (const name of ["ada", "ben"] as const) {
    const { stdout } = await place.countersign("key", "add", name);
    keys[name] = /csk_\S+/.exec(stdout)?.[0] ?? "";
  }
  const [command = "", ...args] = fixture("pid-server.ts");
  const servers = Object.fromEntries(shares.map((share) => [share, { command, args, share }]));
  const ending = { command, args: [...args, join(place.folder, "ends")], share: "principal" };
  gateway = await gatewayIn(place, { servers: { ...servers, ending }, anonymous: false });
  for (const server of [...shares, "ending"]) {
    await session(server, "ada");
    await approve(place, server);
  }
});

afterAll(async () => {
  for (const host of hosts) host.close();
  await gateway.close();
  await place.close();
});

function hostOf(server: string, name: keyof typeof keys): HttpHost {
  const host = new HttpHost(gateway.url(server), { authorization: `Bearer ${keys[name]}` });
  hosts.push(host);
  return host;
}

function opens(host: HttpHost): HttpExchange {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "host", version: "1" } };
  return host.post({ id: 1, method: "initialize", params });
}

async function session(server: string, name: keyof typeof keys): Promise<HttpHost> {
  const host = hostOf(server, name);
  await host.initialize();
  await host.ask("tools/list");
  return host;
}

async function pidOf(host: HttpHost): Promise<number> {
  const { result } = await host.ask("tools/call", { name: "pid", arguments: {} });
  const [said] = (result?.["content"] ?? []) as { text: string }[];
  return Number(said?.text);
}

describe("a server's process behind the gateway", () => {
  test.each([
    ["session", { sessions: false, principals: false }],
    ["principal", { sessions: true, principals: false }],
    ["everyone", { sessions: true, principals: true }],
  ] as const)("is shared as the config says: %s [gateway.shared-process]", async (share, shared) => {
    const [one, other, another] = await Promise.all([
      session(share, "ada"),
      session(share, "ada"),
      session(share, "ben"),
    ]);
    const [pid, same, others] = await Promise.all([one, other, another].map(pidOf));
    expect(pid).toBeGreaterThan(0);
    expect(same === pid).toBe(shared.sessions);
    expect(others === pid).toBe(shared.principals);
    // Hosts with equal ids have each their own answer.
    expect(await Promise.all([one, other, another].map(pidOf))).toEqual([pid, same, others]);
  });

  test("that everybody shares asks no host anything, not even the only one there is [gateway.shared-process]", async () => {
    const outcome = async (share: string) => {
      const host = hostOf(share, "ben");
      await host.initialize({ elicitation: {} });
      await host.ask("tools/list");
      const exchange = host.request("tools/call", { name: "asks", arguments: {} });
      const asked = () => exchange.messages.some(({ method }) => method === "elicitation/create");
      await exchange.until("a question or an answer", () =>
        asked() || exchange.ended !== undefined ? true : undefined,
      );
      return asked() ? "asked" : exchange.body.includes("refused") ? "refused" : exchange.body;
    };
    for (const host of hosts) if (host.session !== undefined) await host.delete();
    expect(await outcome("everyone")).toBe("refused");
    expect(await outcome("session")).toBe("asked");
  });

  test("that is killed is started again for who comes next, and nobody waits for the dead one [gateway.killed-process]", async () => {
    const host = await session("principal", "ada");
    const pid = await pidOf(host);
    process.kill(pid, "SIGKILL");
    expect(await eventually(5_000, async () => (await host.request("ping").over()).status === 404)).toBeLessThan(5_000);
    const again = await session("principal", "ada");
    expect(await pidOf(again)).not.toBe(pid);
  });

  test("that ends at once is left alone for a while, and comes back by itself [gateway.back-off]", async () => {
    const host = await session("ending", "ada");
    place.write("ends", "");
    process.kill(await pidOf(host), "SIGKILL");
    let refused: HttpExchange | undefined;
    const took = await eventually(10_000, async () => {
      refused = await opens(hostOf("ending", "ada")).over();
      return refused.body.includes("ENDED_TOO_OFTEN");
    });
    expect(took).toBeLessThan(10_000);
    expect(refused?.status).toBe(503);
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    rmSync(join(place.folder, "ends"));
    const back = async () => (await opens(hostOf("ending", "ada")).over()).status === 200;
    expect(await eventually(10_000, back)).toBeLessThan(10_000);
  });
});
