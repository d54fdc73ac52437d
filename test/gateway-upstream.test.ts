import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { gatewayIn } from "./rig/gateway.ts";
import { HttpHost } from "./rig/http-host.ts";
import { test } from "./rig/test.ts";

test("a 401 and a forgotten session of a server behind the gateway [gateway.upstream]", async ({
  place,
  onTestFinished,
}) => {
  let refuses = 0;
  const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "one", version: "1" } };
  const upstream = createServer((request, response) => {
    void request.toArray().then((parts: Buffer[]) => {
      const { id, method } = JSON.parse(Buffer.concat(parts).toString() || "{}") as { id?: number; method?: string };
      if (refuses > 0) response.writeHead(refuses, { "www-authenticate": "Bearer" }).end();
      else if (id === undefined) response.writeHead(request.method === "POST" ? 202 : 405).end();
      else {
        response.setHeader("mcp-session-id", "s");
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: method === "initialize" ? result : {} }));
      }
    });
  });
  await new Promise<void>((listening) => upstream.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void upstream.close());
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/mcp`;
  const gateway = await gatewayIn(place, { servers: { one: { url } } });
  onTestFinished(() => gateway.close());
  const host = new HttpHost(gateway.url("one"));
  await host.initialize();
  refuses = 401;
  const denied = await host.request("ping").over();
  expect([denied.status, denied.headers["www-authenticate"]]).toEqual([200, undefined]);
  expect(denied.body).toContain("NEEDS_SIGN_IN");
  refuses = 404;
  expect((await host.request("ping").over()).status).toBe(404);
  refuses = 0;
  expect((await host.request("ping").over()).status).toBe(404);
  expect((await host.initialize()).result).toBeDefined();
  expect((await host.request("ping").over()).status).toBe(200);
});
