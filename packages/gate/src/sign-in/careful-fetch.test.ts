import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type CarefulFetchOptions, carefulFetch } from "./careful-fetch.ts";
import { SignInError, type SignInFailure } from "./sign-in-error.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server on this machine, and what it was asked for. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const json = (_request: IncomingMessage, response: ServerResponse) => response.end("{}");

async function failureOf(
  url: string,
  options: Omit<CarefulFetchOptions, "resource"> & { resource?: URL } = {},
): Promise<SignInFailure | number> {
  const { resource = new URL(url), ...rest } = options;
  try {
    return (await carefulFetch({ resource, ...rest }).fetch(url)).status;
  } catch (error) {
    if (error instanceof SignInError) return error.failure;
    throw error;
  }
}

const elsewhere = new URL("https://mcp.example.com/mcp");

describe("what a sign-in fetches [sign-in.careful]", () => {
  test("comes from a server on this machine, if that is the configured one", async () => {
    const { origin, asked } = await serve(json);
    expect(await failureOf(`${origin}/a`)).toBe(200);
    expect(asked).toEqual(["GET /a"]);
  });

  test.each(["public", "private", undefined] as const)(
    "is not on this machine, where the server that names it is not (%s)",
    async (from) => {
      const { origin, asked } = await serve(json);
      const reached = from === undefined ? {} : { from };
      expect(await failureOf(`${origin}/a`, { resource: elsewhere, ...reached })).toMatchObject({
        is: "PRIVATE_ADDRESS",
      });
      expect(asked).toEqual([]);
    },
  );

  test("is elsewhere on this machine, where the server is here too", async () => {
    const server = await serve(json);
    const issuer = await serve(json);
    const { fetch, from } = carefulFetch({ resource: new URL(server.origin) });
    await expect(fetch(`${issuer.origin}/before`)).rejects.toMatchObject({ failure: { is: "PRIVATE_ADDRESS" } });
    await fetch(`${server.origin}/metadata`);
    expect(from()).toBe("loopback");
    expect((await fetch(`${issuer.origin}/after`)).status).toBe(200);
    expect(issuer.asked).toEqual(["GET /after"]);
  });

  test.each([
    ["http://mcp.example.com/", "PLAIN_HTTP"],
    ["http://10.0.0.1/", "PLAIN_HTTP"],
    ["http://localhost.example.com/", "PLAIN_HTTP"],
    ["https://169.254.169.254/latest/meta-data", "PRIVATE_ADDRESS"],
    ["https://[::ffff:169.254.169.254]/", "PRIVATE_ADDRESS"],
    ["https://0.0.0.0/", "PRIVATE_ADDRESS"],
    ["file:///etc/passwd", "NOT_A_WEB_ADDRESS"],
    ["data:application/json,{}", "NOT_A_WEB_ADDRESS"],
    ["javascript:alert(1)", "NOT_A_WEB_ADDRESS"],
    ["https://user:pass@mcp.example.com/", "NOT_A_WEB_ADDRESS"],
  ])("%s is refused: %s", async (url, is) => {
    expect(await failureOf(url, { resource: elsewhere, from: "public" })).toMatchObject({ is });
  });

  test.each([
    ["https://10.0.0.1/", "public"],
    ["https://127.0.0.1/", "public"],
    ["https://2130706433/", "public"],
    ["https://[fd00::1]/", "public"],
    ["https://[::1]/", "private"],
    ["https://localhost/", "private"],
  ] as const)("%s is not where a server that is %s may send us", async (url, from) => {
    expect(await failureOf(url, { resource: elsewhere, from })).toMatchObject({ is: "PRIVATE_ADDRESS" });
  });

  test("follows no redirect to another origin", async () => {
    const other = await serve(json);
    for (const location of [other.origin, "https://evil.example/", "//evil.example/", "http://user@127.0.0.1/"]) {
      const { origin } = await serve((_request, response) => response.writeHead(302, { location }).end());
      expect(await failureOf(`${origin}/a`)).toMatchObject({ is: "REDIRECTED", to: location });
    }
    expect(other.asked).toEqual([]);
  });

  test("leaves a redirect within the origin to whoever asked", async () => {
    const { origin } = await serve((_request, response) => response.writeHead(302, { location: "/b" }).end());
    expect(await failureOf(`${origin}/a`)).toBe(302);
  });

  test.each([
    ["of a megabyte and a byte", Buffer.alloc(1_048_577), "TOO_LARGE"],
    ["of a megabyte", Buffer.alloc(1_048_576), 200],
  ])("a body %s", async (_, body, is) => {
    const { origin } = await serve((_request, response) => response.end(body));
    const failure = await failureOf(origin);
    expect(typeof failure === "number" ? failure : failure.is).toBe(is);
  });

  test("takes a limited time, whether nothing comes or too little at a time", async () => {
    const silent = await serve(() => undefined);
    const dripping = await serve((_request, response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    for (const { origin } of [silent, dripping])
      expect(await failureOf(origin, { limits: { time: 200 } })).toMatchObject({ is: "TOO_SLOW" });
  });

  test("is not compressed, and has a status of HTTP", async () => {
    const { origin } = await serve((request, response) => {
      if (request.url === "/gzip") response.writeHead(200, { "content-encoding": "gzip" }).end("x");
      else response.writeHead(999).end();
    });
    expect(await failureOf(`${origin}/gzip`)).toMatchObject({ is: "BAD_ANSWER", detail: "COMPRESSED" });
    expect(await failureOf(`${origin}/999`)).toMatchObject({ is: "BAD_ANSWER", detail: "STATUS" });
  });

  test("says what kept it from being reached, or that it was stopped", async () => {
    const { origin } = await serve((request) => request.socket.destroy());
    expect(await failureOf(origin)).toMatchObject({ is: "UNREACHABLE", because: "ECONNRESET" });
    expect(await failureOf("http://127.0.0.1:1/")).toMatchObject({ is: "UNREACHABLE", because: "ECONNREFUSED" });
    const silent = await serve(() => undefined);
    const signal = AbortSignal.timeout(50);
    expect(await failureOf(silent.origin, { signal })).toEqual({ is: "STOPPED" });
  });
});
