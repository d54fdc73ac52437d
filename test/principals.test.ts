import { afterAll, beforeAll, expect, test } from "vitest";
import { audience, type Issuer, issuer, startIssuer } from "../packages/gate/src/access/under-test/key-set-server.ts";
import type { ServerStatus } from "../packages/gate/src/commands/status.ts";
import { httpDefinitions } from "./fixtures/http/offer.ts";
import { approve } from "./rig/approve.ts";
import { type Gateway, gatewayIn } from "./rig/gateway.ts";
import { HttpHost, toolNamesIn } from "./rig/http-host.ts";
import { altered, type HttpStation, lookThrough, startHttpStation } from "./rig/http-station.ts";
import { openPlace, type Place } from "./rig/place.ts";

/** What administrators are offered: another text of one tool, and a tool of their own. */
const forAdministrators = altered(({ tools }) => {
  Object.assign(tools[0] ?? {}, { description: "The forecast for a station, of any owner." });
  tools.push({
    name: "erase",
    description: "Removes one reading.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
  });
});
const all = httpDefinitions.tools.map(({ name }) => String(name));

let place: Place;
let station: HttpStation;
let gateway: Gateway;
let tokenIssuer: Issuer;
const tokens = new Map<string, string>();
const hosts: HttpHost[] = [];

beforeAll(async () => {
  place = openPlace();
  [station, tokenIssuer] = await Promise.all([startHttpStation(place), startIssuer()]);
  for (const name of ["alice", "bob", "carol"]) tokens.set(name, `Bearer ${await tokenIssuer.token({ sub: name })}`);
  const servers = { station: { url: station.url.href, passToken: true } };
  gateway = await gatewayIn(place, {
    servers,
    gateway: { jwt: { jwks: tokenIssuer.url, issuer, audience } },
    anonymous: false,
  });
  await lookThrough(gateway, "station", { authorization: tokens.get("alice") ?? "" });
  await approve(place, "station");
});

afterAll(async () => {
  for (const host of hosts) host.close();
  await gateway.close();
  await Promise.all([station.close(), tokenIssuer.close()]);
  await place.close();
});

/** The tools that one principal is given, in a new session of the older era or without one in the newer. */
async function toolsOf(name: string, era: "older" | "newer") {
  const host = new HttpHost(gateway.url("station"), { authorization: tokens.get(name) ?? "" });
  hosts.push(host);
  if (era === "older") await host.initialize();
  const { result } = await (era === "older" ? host.ask("tools/list") : host.askModern("tools/list"));
  return { names: toolNamesIn(result), text: JSON.stringify(result) };
}

async function status(): Promise<ServerStatus> {
  const { stdout } = await place.countersign("status", "station", "--json");
  const [server] = (JSON.parse(stdout) as { servers: ServerStatus[] }).servers;
  if (server === undefined) throw new Error(`no server: ${stdout}`);
  return server;
}

async function entries(): Promise<number> {
  const { stdout } = await place.countersign("log", "station", "--json");
  return (JSON.parse(stdout) as { entries: unknown[] }).entries.length;
}

test("a server that serves each caller its own list: each has what is approved for it [principals.gateway] [principals.shared]", async () => {
  const [alice, bob, carol] = ["alice", "bob", "carol"].map((name) => tokens.get(name) ?? "");
  await station.behave({ offersTo: { [bob ?? ""]: forAdministrators, [carol ?? ""]: forAdministrators } });
  const rest = all.filter((name) => name !== "forecast");
  for (const era of ["older", "newer"] as const) {
    expect((await toolsOf("bob", era)).names).toEqual(rest);
    expect((await toolsOf("alice", era)).names).toEqual(all);
  }
  const waiting = (await status()).definitions.filter(({ verdict }) => verdict !== "bind");
  const bobs = [`jwt:${issuer} bob`];
  expect(waiting.map(({ kind, name, principals }) => [kind, name, principals])).toEqual([
    ["tool", "forecast", bobs],
    ["tool", "erase", bobs],
  ]);
  for (const { received = "" } of waiting) {
    const { code, stderr } = await place.countersign("approve", "station", "--digest", received, "--yes");
    expect([code, stderr]).toEqual([0, ""]);
  }
  // Whoever calls next looks at the ledger of that moment.
  for (const era of ["older", "newer"] as const) {
    const own = await toolsOf("bob", era);
    expect(own.names).toEqual([...all, "erase"]);
    expect(own.text).toContain("of any owner");
    // Nobody has decided anything about carol, and what she is offered is approved to the letter.
    expect((await toolsOf("carol", era)).names).toEqual([...all, "erase"]);
    const hers = await toolsOf("alice", era);
    expect(hers.names).toEqual(all);
    expect(hers.text).not.toMatch(/of any owner|erase/);
  }
  const before = await entries();
  for (const name of ["alice", "bob", "carol"]) await toolsOf(name, "older");
  expect(await entries(), "whoever comes again changes nothing").toBe(before);
  expect(alice).not.toBe(bob);

  await station.behave({ offersTo: { [alice ?? ""]: forAdministrators } });
  const later = await toolsOf("bob", "newer");
  expect(later.names, "what was superseded for bob is not bound for him again").toEqual(rest);
  expect((await toolsOf("alice", "newer")).names).toEqual([...all, "erase"]);
});

test("a lockfile holds what is approved for all, and says what it leaves out [principals.lock]", async () => {
  const { stdout, code } = await place.countersign("lock", "station", "--json");
  const [row] = (JSON.parse(stdout) as { servers: { leftOut: { name: string; because: string }[] }[] }).servers;
  expect(row?.leftOut.filter(({ because }) => because === "VARIANT").map(({ name }) => name)).toEqual(["forecast"]);
  expect(code).toBe(0);
});
