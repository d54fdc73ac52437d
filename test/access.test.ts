import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import {
  Client,
  discoverOAuthProtectedResourceMetadata,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { audience, issuer, startIssuer } from "../packages/gate/src/access/under-test/key-set-server.ts";
import { makeCertificate } from "../packages/gate/src/gateway/under-test/certificate.ts";
import { Child } from "./rig/child.ts";
import { eventually } from "./rig/eventually.ts";
import { freePort } from "./rig/free-port.ts";
import { type Gateway, gatewayIn } from "./rig/gateway.ts";
import { openPlace, type Place } from "./rig/place.ts";

/** Who may call `countersign gateway`, shown with the command itself, real clients and a real issuer of tokens. */
const everything = join(import.meta.dirname, "../node_modules/.bin/mcp-server-everything");
const servers = {
  files: { command: process.execPath, args: [everything] },
  mail: { command: process.execPath, args: [everything] },
};

let place: Place;
const gateways: Gateway[] = [];
beforeEach(() => {
  place = openPlace();
});
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((one) => one.close()));
  await place.close();
});

async function started(options: Partial<Parameters<typeof gatewayIn>[1]> = {}): Promise<Gateway> {
  const gateway = await gatewayIn(place, { servers, anonymous: false, ...options });
  gateways.push(gateway);
  return gateway;
}

async function keyFor(name: string, ...more: readonly string[]): Promise<string> {
  const { stdout, code, stderr } = await place.countersign("key", "add", name, ...more, "--json");
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { key: string }).key;
}

function opening(credential: string | undefined, more: Readonly<Record<string, string>> = {}): RequestInit {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream", ...more },
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  };
}

async function statusOf(url: URL, init: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}

/** A session of a client of the SDK, with the stream on which it waits for news. */
async function connected(url: URL, credential: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${credential}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

/** A server at a URL that keeps what came with each request. */
async function recording() {
  const credentials: (string | undefined)[] = [];
  const headers: string[] = [];
  const server = createServer(async (request, response) => {
    credentials.push(request.headers.authorization);
    headers.push(...request.rawHeaders);
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    const { id, method } = JSON.parse(body === "" ? "{}" : body) as { id?: number; method?: string };
    if (method !== "initialize") return void response.writeHead(id === undefined ? 202 : 404).end();
    const serverInfo = { name: "recording", version: "1" };
    const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    ...{ credentials, headers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

describe("keys", () => {
  test("[access.keys] [access.keys-at-rest] open what they are for, and stand nowhere", async () => {
    const [mine, some] = [await keyFor("ada"), await keyFor("ci", "--servers", "files", "--expires", "90d")];
    const gateway = await started();
    const client = await connected(gateway.url("files"), mine);
    expect((await client.listTools()).tools).toEqual([]);
    expect(client.getInstructions()).toContain("are withheld");
    await client.close();
    expect(await statusOf(gateway.url("files"), opening(some))).toBe(200);
    expect(await statusOf(gateway.url("mail"), opening(some))).toBe(403);
    expect(await statusOf(gateway.url("none"), opening(some))).toBe(403);
    expect(await statusOf(gateway.url("files"), opening(undefined))).toBe(401);
    expect(await statusOf(gateway.url("files"), opening(`${some.slice(0, -1)}_`))).toBe(401);
    await gateway.close();
    const kept = readdirSync(place.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(kept.length).toBeGreaterThan(1);
    for (const file of kept) {
      const bytes = readFileSync(join(file.parentPath, file.name)).toString("latin1");
      for (const key of [mine, some]) expect(bytes, file.name).not.toContain(key.slice(12, 50));
    }
    expect(gateway.child.output).not.toContain("csk_");
  });

  test("[access.revoked] a key that is revoked opens nothing half a second later, in every gateway of the ledger", async () => {
    const key = await keyFor("ada");
    const other = await keyFor("ci");
    const gateway = await started();
    const stream = async (credential: string) => {
      const opened = await fetch(gateway.url("files"), opening(credential));
      await opened.text();
      const session = opened.headers.get("mcp-session-id") ?? "";
      const headers = {
        ...{ accept: "text/event-stream", authorization: `Bearer ${credential}` },
        ...{ "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" },
      };
      const response = await fetch(gateway.url("files"), { headers });
      expect(response.status).toBe(200);
      let over = false;
      const read = async () => {
        for await (const _ of response.body ?? []);
      };
      read()
        .catch(() => undefined)
        .finally(() => {
          over = true;
        });
      return () => over;
    };
    const [mine, theirs] = [await stream(key), await stream(other)];
    const second = await started();
    expect(await statusOf(second.url("files"), opening(key))).toBe(200);
    expect((await place.countersign("key", "revoke", "ada")).code).toBe(0);
    const revoked = eventually(5_000, mine);
    expect(await statusOf(gateway.url("files"), opening(key))).toBe(401);
    expect(await statusOf(second.url("files"), opening(key))).toBe(401);
    expect(await revoked).toBeLessThan(1_000);
    expect(theirs()).toBe(false);
    const { stdout } = await place.countersign("log");
    expect(stdout).toMatch(/key-added \w{8} \(ada\) by .*\n.*key-added \w{8} \(ci\)/);
    expect(stdout).toMatch(/key-revoked \w{8} \(ada\) by /);
  });

  test("[access.one-name] two who add a key of one name at once are one and an error", async () => {
    const added = await Promise.all(Array.from({ length: 6 }, () => place.countersign("key", "add", "ci")));
    expect(added.map(({ code }) => code).sort()).toEqual([0, 3, 3, 3, 3, 3]);
    expect((await place.countersign("log", "--verify")).code).toBe(0);
  });
});

describe("tokens", () => {
  test("[access.jwt] [access.metadata] of the issuer that the config names open what they name, and the SDK finds the issuer", async () => {
    const from = await startIssuer("RS256");
    const jwt = { jwks: from.url, issuer, audience, servers: "mcp_servers", scopes: ["mcp"] };
    const gateway = await started({ gateway: { jwt } });
    const claims = { scope: "openid mcp", mcp_servers: ["files"] };
    const client = await connected(gateway.url("files"), await from.token(claims));
    expect(client.getInstructions()).toContain("are withheld");
    await client.close();
    const refused = async (more: Record<string, unknown>, server = "files") =>
      statusOf(gateway.url(server), opening(await from.token({ ...claims, ...more })));
    expect(await refused({}, "mail")).toBe(403);
    expect(await refused({ scope: "openid" })).toBe(403);
    expect(await refused({ aud: "https://other.example.com" })).toBe(401);
    expect(await refused({ exp: Math.floor(Date.now() / 1_000) - 60 })).toBe(401);
    const unasked = await fetch(gateway.url("files"), opening(undefined));
    const at = /resource_metadata="([^"]+)"/.exec(unasked.headers.get("www-authenticate") ?? "")?.[1];
    const metadata = await discoverOAuthProtectedResourceMetadata(gateway.url("files"), {
      resourceMetadataUrl: String(at),
    });
    expect(metadata).toMatchObject({ resource: gateway.url("files").href, authorization_servers: [issuer] });
    await from.close();
  });

  test("[access.key-set] lets nobody in while the issuer's keys cannot be had, says 503, and goes on with keys", async () => {
    const from = await startIssuer();
    const token = await from.token();
    await from.close();
    const gateway = await started({ gateway: { jwt: { jwks: from.url, issuer, audience } } });
    expect(await statusOf(gateway.url("files"), opening(token))).toBe(503);
    await gateway.child.says(/Cannot fetch the key set/);
    expect(await statusOf(gateway.url("files"), opening(await keyFor("ada")))).toBe(200);
  });

  test("[access.no-passthrough] a token reaches the server that is marked for it, and no other; a key reaches none", async () => {
    const from = await startIssuer();
    const [marked, plain] = [await recording(), await recording()];
    const servers = { marked: { url: marked.url, passToken: true }, plain: { url: plain.url } };
    const gateway = await started({ servers, gateway: { jwt: { jwks: from.url, issuer, audience } } });
    const [first, later] = [await from.token(), await from.token({ jti: "later" })];
    const key = await keyFor("ada");
    for (const server of ["marked", "plain"]) {
      for (const credential of [key, first, later]) {
        expect(await statusOf(gateway.url(server), opening(credential, { cookie: "a=b" }))).toBe(200);
      }
    }
    expect(new Set(marked.credentials)).toEqual(new Set([undefined, `Bearer ${first}`, `Bearer ${later}`]));
    expect(new Set(plain.credentials)).toEqual(new Set([undefined]));
    expect([...marked.headers, ...plain.headers].join()).not.toMatch(/csk_|cookie/i);
    await Promise.all([from.close(), marked.close(), plain.close()]);
  });

  test.each([
    ["no audience", { jwks: "https://issuer.example.com/jwks", issuer }, "gateway.jwt.audience"],
    ["plain http", { jwks: "http://issuer.example.com/jwks", issuer, audience }, "gateway.jwt.jwks"],
    ["a shared secret", { jwks: "/keys.json", issuer, audience, algorithms: ["HS256"] }, "gateway.jwt.algorithms"],
    ["no signature", { jwks: "/keys.json", issuer, audience, algorithms: ["none"] }, "gateway.jwt.algorithms"],
  ])("[access.jwt] a config with %s is refused", async (_, jwt, says) => {
    place.write("config/countersign/countersign.jsonc", { servers, gateway: { jwt } });
    const { code, stderr } = await place.countersign("gateway");
    expect(code).toBe(3);
    expect(stderr).toContain(says);
  });
});

describe("where it listens", () => {
  test.each([
    ["without TLS", ["--listen", "0.0.0.0:0"], "TLS"],
    ["without a credential", ["--listen", "10.255.255.1:0", "--anonymous", "--behind-tls-proxy"], "--anonymous"],
    ["without a name", ["--listen", "0.0.0.0:0", "--behind-tls-proxy"], "hosts"],
  ])("[access.tls] beyond this machine it does not listen %s", async (_, args, says) => {
    place.write("config/countersign/countersign.jsonc", { servers });
    const { code, stderr } = await place.countersign("gateway", ...args);
    expect(code).toBe(3);
    expect(stderr).toContain(says);
  });

  test("[access.host] [access.origin] as the conformance suite asks, in both eras", async () => {
    const both = { command: process.execPath, args: [join(import.meta.dirname, "fixtures/both-eras-server.ts")] };
    const gateway = await started({ anonymous: true, servers: { files: both } });
    const suite = join(import.meta.dirname, "../node_modules/@modelcontextprotocol/conformance/dist/index.js");
    const url = `http://localhost:${new URL(gateway.origin).port}/files/mcp`;
    for (const version of ["2025-11-25", "2026-07-28"]) {
      const scenario = ["server", "--url", url, "--scenario", "dns-rebinding-protection", "--spec-version", version];
      const ran = spawnSync(process.execPath, [suite, ...scenario], { encoding: "utf8", cwd: place.folder });
      expect(`${ran.stdout}${ran.stderr}`, version).toMatch(/2 passed, 0 failed|Passed: 2\/2/);
      expect(ran.status, version).toBe(0);
    }
  });

  test("[access.tls] [access.tls-reload] serves TLS of 1.2 and later, and takes a certificate that comes later", async () => {
    const first = makeCertificate(place.folder, "first");
    const [cert, key] = [join(place.folder, "served.crt"), join(place.folder, "served.key")];
    const put = (made: typeof first) => {
      for (const [of, to] of [
        [made.cert, cert],
        [made.key, key],
      ] as const) {
        copyFileSync(of, `${to}.new`);
        chmodSync(`${to}.new`, 0o600);
        renameSync(`${to}.new`, to);
      }
    };
    put(first);
    const port = await freePort();
    place.write("config/countersign/countersign.jsonc", { servers });
    const listen = ["--listen", `127.0.0.1:${port}`, "--tls-cert", cert, "--tls-key", key];
    const child = new Child(place.command("gateway", ...listen), { cwd: place.folder, env: place.env });
    await child.says(/listening/);
    const answer = (ca: string) =>
      new Promise<string>((resolve, reject) => {
        const asked = request({ port, host: "127.0.0.1", path: "/healthz", ca, agent: false }, (response) => {
          response.setEncoding("utf8").once("data", resolve);
        });
        asked.once("error", reject).end();
      });
    expect(await answer(first.pem)).toContain("ok");
    await expect(
      new Promise((resolve, reject) => {
        const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
        const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...old }, () =>
          resolve("connected"),
        );
        socket.once("error", reject);
      }),
    ).rejects.toThrow();
    writeFileSync(key, "no key");
    await child.says(/it holds no key/);
    expect(await answer(first.pem)).toContain("ok");
    const second = makeCertificate(place.folder, "second");
    put(second);
    await child.says(/certificate-loaded|certificate/);
    expect(
      await eventually(8_000, () =>
        answer(second.pem).then(
          () => true,
          () => false,
        ),
      ),
    ).toBeLessThan(8_000);
    expect(await child.end()).toBe(0);
  });
});

describe("the end", () => {
  test("[access.drain] on SIGTERM streams get their end, /readyz says so, and the program ends by itself", async () => {
    const key = await keyFor("ada");
    const gateway = await started({ gateway: { limits: { drainNotice: 2, drainGrace: 5 } } });
    const opened = await fetch(gateway.url("files"), opening(key));
    await opened.text();
    const headers = {
      ...{ accept: "text/event-stream", authorization: `Bearer ${key}` },
      ...{ "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" },
    };
    const stream = await fetch(gateway.url("files"), { headers });
    expect(await (await fetch(new URL("/readyz", gateway.origin))).text()).toContain("ready");
    const ended = gateway.child.end();
    expect(
      await eventually(1_500, async () => (await fetch(new URL("/readyz", gateway.origin))).status === 503),
    ).toBeLessThan(1_500);
    expect(await statusOf(gateway.url("files"), opening(key))).toBe(503);
    // It is whole: a stream that is cut off would reject.
    await stream.text();
    expect(await ended).toBe(0);
  });
});
