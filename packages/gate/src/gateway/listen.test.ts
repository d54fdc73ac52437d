import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import { asServerName, type ServerName } from "@countersign/core";
import { afterEach, describe, expect, test } from "vitest";
import type { AccessEvent } from "../access/access-event.ts";
import { type AccessOptions, accessOf } from "../access/access-of.ts";
import { tokenAlgorithms } from "../access/jwt-settings.ts";
import { newKey } from "../access/key.ts";
import { audience, issuer, startIssuer } from "../access/under-test/key-set-server.ts";
import { someKeys } from "../access/under-test/keys.ts";
import { defaultLimits, type GatewayLimits } from "./limits.ts";
import { type Listening, type ListenOptions, listen, type To } from "./listen.ts";

const keys = someKeys();
const key = keys.add("ci");
const events: AccessEvent[] = [];
const opened: Listening[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.drain()));
  events.length = 0;
});

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Handle = (request: IncomingMessage, response: ServerResponse, to: To) => void;

const echo: Handle = (request, response, { server, principal, query, bearer, body }) => {
  void body().then((bytes) => {
    if (bytes === undefined) return;
    const seen = { server, principal: principal.id, query, bearer, headers: request.headers, raw: request.rawHeaders };
    response.end(JSON.stringify({ ...seen, length: bytes.length }));
  });
};

interface Start {
  readonly access?: Partial<AccessOptions>;
  readonly limits?: Partial<GatewayLimits>;
  readonly more?: Partial<ListenOptions>;
  readonly handle?: Handle;
}

async function start({ access = {}, limits = {}, more = {}, handle = echo }: Start = {}): Promise<Listening> {
  const listening = await listen({
    ...{ host: "127.0.0.1", port: 0, behindTlsProxy: false, hosts: [], origins: ["https://chat.example.com"] },
    access: accessOf({
      ...{ keys: keys.all, anonymous: false, exists: (server) => server !== "none" },
      trouble: (error) => events.push({ is: "trouble", error }),
      ...access,
    }),
    limits: { ...defaultLimits, drainGrace: 1, ...limits },
    passesToken: (server) => server === "marked",
    pages: new Map([
      ["/healthz", { for: "anybody", answer: (_, response) => response.end("ok") }],
      ["/metrics", { for: "unrestricted", answer: (_, response) => response.end("counts") }],
    ]),
    handle,
    report: (event) => events.push(event),
    ...more,
  });
  opened.push(listening);
  return listening;
}

function sent({ url }: Listening, { method = "POST", path = "/files/mcp", headers = {} }: Asked): ClientRequest {
  const usual = { host: `127.0.0.1:${url.port}`, authorization: `Bearer ${key}` };
  const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== "");
  return httpRequest({
    host: "127.0.0.1",
    port: url.port,
    method,
    path,
    headers: Object.fromEntries(all),
    agent: false,
  });
}

function ask(listening: Listening, asked: Asked = {}): Promise<Answer> {
  const request = sent(listening, asked);
  const answer = answerTo(request);
  request.end(asked.body);
  return answer;
}

function answerTo(request: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
  });
}

/** What comes back for bytes that no client library would send. */
function raw({ url }: Listening, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(answer));
  });
}

describe("listen(), who is let in", () => {
  test("[access.keys] hands on what a key opens, with a principal, and without the key", async () => {
    const headers = { cookie: "a=b", "proxy-authorization": "Basic x", accept: "application/json" };
    const { status, body } = await ask(await start(), { path: "/files/mcp?a=1", headers, body: "{}" });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ server: "files", principal: "key:ci", query: "?a=1", length: 2 });
    expect(JSON.parse(body).headers).not.toHaveProperty("authorization");
    expect(body.toLowerCase()).not.toMatch(/csk_|authorization|cookie/);
  });

  test("[access.refused] answers 401 with what RFC 6750 asks for, and JSON that hosts read", async () => {
    const listening = await start();
    const none = await ask(listening, { headers: { authorization: "" } });
    expect(none).toMatchObject({ status: 401, headers: { "www-authenticate": 'Bearer realm="countersign"' } });
    expect(JSON.parse(none.body)).toEqual({
      ...{ jsonrpc: "2.0", id: null, error: { code: -32_000, message: "Countersign: a bearer token is needed" } },
    });
    const unknown = await ask(listening, { headers: { authorization: `Bearer ${newKey().text}` } });
    expect(unknown.headers["www-authenticate"]).toBe(
      'Bearer realm="countersign", error="invalid_token", error_description="the key is not known"',
    );
    const basic = await ask(listening, { headers: { authorization: "Basic abc" } });
    expect(basic.status).toBe(400);
    expect(basic.headers["www-authenticate"]).toContain('error="invalid_request"');
    expect(basic.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
  });

  test("[access.servers] answers alike for a server that may not be used and one that is not there", async () => {
    const listening = await start();
    const authorization = `Bearer ${keys.add("only-files", { servers: [asServerName("files") as ServerName] })}`;
    const [mail, none] = await Promise.all(
      ["/mail/mcp", "/none/mcp"].map((path) => ask(listening, { path, headers: { authorization } })),
    );
    expect([mail?.status, mail?.body]).toEqual([403, none?.body]);
    expect((await ask(listening, { path: "/none/mcp" })).status).toBe(404);
    for (const path of [
      "/",
      "/files",
      "/files/mcp/",
      "/files/mcp/x",
      "//mcp",
      "/files%2f/mcp",
      "/../files/mcp",
      "/%66iles/mcp",
    ]) {
      expect((await ask(listening, { path })).status, path).toBe(404);
    }
  });

  test("[access.metadata] says where tokens come from, at the paths of RFC 9728, whether or not there is such a server", async () => {
    const from = await startIssuer();
    const jwt = {
      jwks: from.url,
      issuer,
      audience: [audience],
      algorithms: tokenAlgorithms,
      clockTolerance: 0,
      scopes: ["mcp"],
    };
    const listening = await start({ access: { jwt } });
    const refused = await ask(listening, { headers: { authorization: "" } });
    const at = `http://127.0.0.1:${listening.url.port}/.well-known/oauth-protected-resource/files/mcp`;
    expect(refused.headers["www-authenticate"]).toBe(`Bearer realm="countersign", resource_metadata="${at}"`);
    for (const name of ["files", "none"]) {
      const path = `/.well-known/oauth-protected-resource/${name}/mcp`;
      const { status, body } = await ask(listening, { method: "GET", path, headers: { authorization: "" } });
      expect([status, JSON.parse(body)]).toEqual([
        200,
        {
          resource: `http://127.0.0.1:${listening.url.port}/${name}/mcp`,
          authorization_servers: [issuer],
          bearer_methods_supported: ["header"],
          scopes_supported: ["mcp"],
        },
      ]);
    }
    const whole = await ask(listening, { method: "GET", path: "/.well-known/oauth-protected-resource" });
    expect(JSON.parse(whole.body).resource).toBe(`http://127.0.0.1:${listening.url.port}/`);
    const lacking = await ask(listening, { headers: { authorization: `Bearer ${await from.token()}` } });
    expect(lacking.status).toBe(403);
    expect(lacking.headers["www-authenticate"]).toContain('error="insufficient_scope"');
    expect(lacking.headers["www-authenticate"]).toContain('scope="mcp"');
    expect((await ask(await start(), { method: "GET", path: "/.well-known/oauth-protected-resource" })).status).toBe(
      404,
    );
    await from.close();
  });

  test("[access.no-passthrough] a token is handed on for a server that is marked, a key never", async () => {
    const from = await startIssuer();
    const jwt = {
      jwks: from.url,
      issuer,
      audience: [audience],
      algorithms: tokenAlgorithms,
      clockTolerance: 0,
      scopes: [],
    };
    const listening = await start({ access: { jwt } });
    const token = await from.token();
    const seen = async (path: string, credential: string) =>
      JSON.parse((await ask(listening, { path, headers: { authorization: `Bearer ${credential}` } })).body);
    expect(await seen("/marked/mcp", token)).toMatchObject({ bearer: token, principal: `jwt:${issuer} ada` });
    expect(await seen("/files/mcp", token)).not.toHaveProperty("bearer");
    expect(await seen("/marked/mcp", key)).not.toHaveProperty("bearer");
    await from.close();
  });

  test("[access.pages] whoever asks whether it lives needs no name and no key; what counts all servers needs a key for all", async () => {
    const listening = await start();
    const bare = { host: "10.0.0.7:8080", authorization: "" };
    expect(await ask(listening, { method: "GET", path: "/healthz", headers: bare })).toMatchObject({ body: "ok" });
    expect((await ask(listening, { method: "GET", path: "/metrics", headers: bare })).status).toBe(403);
    expect(await ask(listening, { method: "GET", path: "/metrics", headers: { authorization: "" } })).toMatchObject({
      body: "counts",
    });
    const proxied = { "x-forwarded-for": "10.0.0.7", authorization: "" };
    expect((await ask(listening, { method: "GET", path: "/metrics", headers: proxied })).status).toBe(401);
    const beyond = await start({ more: { host: "0.0.0.0", hosts: ["mcp.example.com"], behindTlsProxy: true } });
    const metrics = async (authorization: string) =>
      (await ask(beyond, { method: "GET", path: "/metrics", headers: { host: "mcp.example.com", authorization } }))
        .status;
    expect((await ask(beyond, { headers: { host: `0.0.0.0:${beyond.url.port}` } })).status).toBe(403);
    expect(await metrics("")).toBe(401);
    expect(await metrics(`Bearer ${key}`)).toBe(200);
    expect(await metrics(`Bearer ${keys.add("one", { servers: [asServerName("files") as ServerName] })}`)).toBe(403);
  });

  test("[access.refusals] says 429 to who goes on guessing, and lets in a good key from the same address", async () => {
    const listening = await start({ limits: { refusals: 3 } });
    const guess = () => ask(listening, { headers: { authorization: `Bearer ${newKey().text}` } });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(Number((await guess()).headers["retry-after"])).toBeGreaterThan(0);
    expect((await ask(listening)).status).toBe(200);
    const news = events.flatMap((event) => (event.is === "refused" ? [event.code] : []));
    expect(news).toEqual(["KEY_UNKNOWN", "TOO_MANY_REFUSED"]);
  });
});

describe("listen(), under which name and for which page", () => {
  test("[access.host] as the conformance suite asks: another name is refused, this machine's is taken", async () => {
    const listening = await start({ access: { anonymous: true } });
    const asked = async (host: string) =>
      (await ask(listening, { headers: { host, origin: `http://${host}`, authorization: "" } })).status;
    expect(await asked("evil.example.com")).toBe(403);
    expect(await asked(`127.0.0.1:${listening.url.port}`)).toBe(200);
    expect(await asked(`localhost:${listening.url.port}`)).toBe(200);
    expect((await ask(listening, { headers: { origin: "https://evil.example.com" } })).status).toBe(403);
    expect(events.flatMap((event) => (event.is === "refused" ? [event.code] : []))).toEqual([
      "FOREIGN_HOST",
      "FOREIGN_ORIGIN",
    ]);
  });

  test("[access.cors] the page of a listed origin may ask and read, before it has a key", async () => {
    const listening = await start();
    const origin = "https://chat.example.com";
    const preflight = await ask(listening, {
      method: "OPTIONS",
      headers: {
        ...{ origin, authorization: "", "access-control-request-method": "POST" },
        "access-control-request-headers": "authorization, Mcp-Session-Id, mcp-param-Region, x-evil",
      },
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": "authorization, mcp-session-id, mcp-param-region",
      },
    });
    expect(preflight.headers.vary).toContain("Origin");
    const read = await ask(listening, { headers: { origin } });
    expect(read.headers["access-control-allow-origin"]).toBe(origin);
    expect(read.headers["access-control-expose-headers"]).toContain("Mcp-Session-Id");
    const refused = await ask(listening, { headers: { origin, authorization: "" } });
    expect(refused).toMatchObject({ status: 401, headers: { "access-control-allow-origin": origin } });
  });

  test("[access.cors] no other page may read anything, a page of this machine included", async () => {
    const listening = await start();
    const local = await ask(listening, { headers: { origin: "http://localhost:3000" } });
    expect(local.status).toBe(200);
    const preflight = await ask(listening, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example.com", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(403);
    for (const { headers } of [local, preflight]) expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("a target that is no path, and a message of two lengths, come to nobody", async () => {
    const listening = await start();
    const host = `Host: 127.0.0.1:${listening.url.port}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`;
    expect(await raw(listening, `POST http://127.0.0.1/files/mcp HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1.1 400 /);
    expect(
      await raw(
        listening,
        `POST /files/mcp HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw(listening, `POST /files/mcp HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw(listening, `POST /files/mcp HTTP/1.1\r\n${host}Host: evil.example.com\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 40[03] /,
    );
  });
});

describe("listen(), limits", () => {
  test("[access.limits] a body beyond the limit is answered with 413, whether or not it says how long it is", async () => {
    const listening = await start({ limits: { bodyBytes: 1_024 } });
    expect((await ask(listening, { body: "a".repeat(1_024) })).status).toBe(200);
    expect((await ask(listening, { body: "a".repeat(1_025) })).status).toBe(413);
    const chunked = sent(listening, { headers: { "transfer-encoding": "chunked" } });
    const answer = answerTo(chunked);
    for (let count = 0; count < 3; count++) chunked.write("a".repeat(500));
    expect((await answer).status).toBe(413);
    chunked.destroy();
  });

  test("[access.limits] whoever sends without end is cut off", async () => {
    const listening = await start({ limits: { bodyBytes: 1_024 } });
    for (const authorization of [`Bearer ${key}`, ""]) {
      const endless = sent(listening, { headers: { authorization, "transfer-encoding": "chunked" } });
      const cut = new Promise<void>((done) => endless.once("close", () => done()).on("error", () => done()));
      const timer = setInterval(() => endless.destroyed || endless.write("a".repeat(1_000)), 2);
      await cut;
      clearInterval(timer);
    }
  });

  test("[access.limits] headers beyond the limit are refused, by their bytes and by their count", async () => {
    const listening = await start({ limits: { headerBytes: 4_096, headers: 20 } });
    expect((await ask(listening, { headers: { "x-long": "a".repeat(5_000) } })).status).toBe(431);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, count) => [`x-${count}`, "a"]));
    expect((await ask(listening, { headers: many })).status).toBe(431);
  });

  test("[access.limits] headers that do not come are waited for as long as the limit says", async () => {
    const listening = await start({ limits: { headersTimeout: 1, requestTimeout: 1 } });
    expect(await raw(listening, "POST /files/mcp HTTP/1.1\r\nHost:")).toMatch(/^HTTP\/1.1 408 /);
  });

  test("[access.limits] one principal has so many requests and streams at once, and others have their own", async () => {
    const waiting: ServerResponse[] = [];
    const listening = await start({ limits: { streams: 2 }, handle: (_, response) => void waiting.push(response) });
    const first = [ask(listening), ask(listening)];
    await until(() => waiting.length === 2);
    const third = await ask(listening);
    expect([third.status, third.headers["retry-after"]]).toEqual([429, "1"]);
    const other = ask(listening, { headers: { authorization: `Bearer ${keys.add("other")}` } });
    await until(() => waiting.length === 3);
    for (const response of waiting.splice(0)) response.end("done");
    expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([200, 200, 200]);
    await until(() => listening.open() === 0);
    const again = ask(listening);
    await until(() => waiting.length === 1);
    waiting[0]?.end();
    expect((await again).status).toBe(200);
  });

  test("[access.limits] so many connections at once and no more", async () => {
    const listening = await start({ limits: { connections: 1 }, handle: () => undefined });
    const held = sent(listening, {});
    held.on("error", () => undefined).end("{}");
    await until(() => listening.open() === 1);
    await expect(ask(listening)).rejects.toThrow();
    held.destroy();
  });

  test("[access.limits] a client that goes while its key is looked up leaves nothing behind", async () => {
    let handed = 0;
    const slow = () => new Promise<void>((waited) => setTimeout(waited, 100)).then(keys.all);
    const listening = await start({ access: { keys: slow }, handle: () => void handed++ });
    const gone = sent(listening, {});
    gone.on("error", () => undefined).end("{}");
    setTimeout(() => gone.destroy(), 40);
    await new Promise((waited) => setTimeout(waited, 250));
    expect([handed, listening.open()]).toEqual([0, 0]);
  });

  test("[access.before-body] nobody is asked for a body who is not let in", async () => {
    const listening = await start();
    const asked = async (authorization: string) => {
      const request = sent(listening, { headers: { authorization, expect: "100-continue", "content-length": "2" } });
      let continued = false;
      request.once("continue", () => {
        continued = true;
        request.end("{}");
      });
      const answer = answerTo(request);
      request.flushHeaders();
      const { status } = await answer;
      request.destroy();
      return { status, continued };
    };
    expect(await asked(`Bearer ${key}`)).toEqual({ status: 200, continued: true });
    expect(await asked("")).toEqual({ status: 401, continued: false });
  });
});

describe("listen(), the end", () => {
  const streaming =
    (ended: string[]): Handle =>
    (_, response, { ends }) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": \n\n");
      ends.addEventListener("abort", () => {
        ended.push(String(ends.reason));
        if (ends.reason !== "revoked") response.end();
      });
    };

  test("[access.revoked] the streams of a key that was revoked are cut off within half a second and one more", async () => {
    const ended: string[] = [];
    const listening = await start({ handle: streaming(ended) });
    const mine = keys.add("mine");
    const stream = ask(listening, { method: "GET", headers: { authorization: `Bearer ${mine}` } });
    const others = ask(listening, { method: "GET" });
    await until(() => listening.open() === 2);
    keys.revoke(mine);
    const since = performance.now();
    await until(() => ended.length === 1);
    expect(performance.now() - since).toBeLessThan(600);
    expect(ended).toEqual(["revoked"]);
    await expect(stream).rejects.toThrow();
    await until(() => listening.open() === 1);
    expect(events).toContainEqual({ is: "cut-off", because: "revoked", streams: 1 });
    await listening.drain();
    expect((await others).status).toBe(200);
  });

  test("[access.revoked] a stream ends with its credential", async () => {
    const ended: string[] = [];
    const listening = await start({ handle: streaming(ended) });
    const authorization = `Bearer ${keys.add("short", { expires: Date.now() + 300 })}`;
    expect((await ask(listening, { method: "GET", headers: { authorization } })).status).toBe(200);
    expect(ended).toEqual(["expired"]);
    expect((await ask(listening, { headers: { authorization } })).status).toBe(401);
  });

  test("[access.drain] streams get their end, requests finish, and nothing new is taken", async () => {
    const ended: string[] = [];
    let late: ServerResponse | undefined;
    const listening = await start({
      limits: { drainNotice: 1 },
      handle: (request, response, to) => {
        if (request.method === "GET") streaming(ended)(request, response, to);
        else late = response;
      },
    });
    const stream = ask(listening, { method: "GET" });
    const call = ask(listening);
    await until(() => listening.open() === 2);
    const drained = listening.drain();
    expect(listening.isDraining()).toBe(true);
    const refused = await ask(listening);
    expect([refused.status, refused.headers.connection]).toEqual([503, "close"]);
    expect((await ask(listening, { method: "GET", path: "/healthz" })).status).toBe(200);
    expect((await stream).status).toBe(200);
    await expect(ask(listening)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    late?.end("done");
    expect((await call).body).toBe("done");
    await drained;
    expect(ended).toEqual(["draining"]);
    expect(events.filter(({ is }) => is === "draining" || is === "drained")).toEqual([
      { is: "draining", open: 2 },
      { is: "drained", cut: 0 },
    ]);
  });

  test("[access.drain] a connection that a client keeps for later holds nothing up", async () => {
    const ended: string[] = [];
    const listening = await start({ limits: { drainGrace: 60 }, handle: streaming(ended) });
    const agent = new Agent({ keepAlive: true });
    const { url } = listening;
    const headers = { host: `127.0.0.1:${url.port}`, authorization: `Bearer ${key}` };
    const request = httpRequest({ host: "127.0.0.1", port: url.port, path: "/files/mcp", headers, agent });
    const stream = answerTo(request.end());
    await until(() => listening.open() === 1);
    const since = performance.now();
    await listening.drain();
    expect((await stream).status).toBe(200);
    expect(performance.now() - since).toBeLessThan(1_000);
    agent.destroy();
  });

  test("[access.drain] what does not finish in its time is cut off", async () => {
    const listening = await start({ handle: () => undefined });
    const call = ask(listening);
    await until(() => listening.open() === 1);
    const since = performance.now();
    await Promise.all([listening.drain(), expect(call).rejects.toThrow()]);
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(events).toContainEqual({ is: "drained", cut: 1 });
  });

  test("says so where another program listens there", async () => {
    const { url } = await start();
    await expect(start({ more: { port: Number(url.port) } })).rejects.toMatchObject({
      code: "CONFIG",
      message: `Cannot listen on 127.0.0.1:${url.port}: another program listens there; give another address with --listen`,
    });
  });
});

async function until(reached: () => boolean): Promise<void> {
  const late = performance.now() + 3_000;
  while (!reached()) {
    if (performance.now() > late) throw new Error(`it did not come to that: ${JSON.stringify(events)}`);
    await new Promise((waited) => setTimeout(waited, 10));
  }
}
