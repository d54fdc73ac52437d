import { type EventEmitter, once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { approve } from "./rig/approve.ts";
import { gatewayIn } from "./rig/gateway.ts";
import { HttpHost } from "./rig/http-host.ts";
import { test } from "./rig/test.ts";

/** Answers a call at length, and then with a list of tools that has no end. */
async function goOn(response: ServerResponse, closed: Promise<void>): Promise<void> {
  const piece = Buffer.alloc(256 * 1024, "a");
  const write = async () => {
    if (!response.write(piece)) await Promise.race([once(response, "drain"), closed]);
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"result":{"content":[{"type":"text","text":"');
  for (let count = 0; count < 80 && !response.destroyed; count++) await write();
  response.write('"}],"tools":["');
  while (!response.destroyed) await write();
}

function closeOf(stream: EventEmitter): Promise<void> {
  return new Promise((closed) => stream.once("close", closed));
}

const tool = {
  name: "read",
  description: "Reads a note.",
  inputSchema: { type: "object", additionalProperties: false },
};

test("[answer.cut] a late list of tools cuts a long answer off, for the host and for the server", async ({ place }) => {
  const hungUp = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      if (incoming.method !== "POST") return void response.writeHead(405).end();
      const { id, method } = JSON.parse(Buffer.concat(parts).toString());
      if (id === undefined) return void response.writeHead(202).end();
      if (method === "tools/call") {
        const closed = closeOf(response);
        void closed.then(hungUp.resolve);
        void goOn(response, closed);
        return;
      }
      const capabilities = { tools: {} };
      const initialized = { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "a", version: "1" } };
      const result = method === "initialize" ? initialized : { tools: [tool] };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const gateway = await gatewayIn(place, { servers: { notes: { url: `http://127.0.0.1:${port}/mcp` } } });
  const host = new HttpHost(gateway.url("notes"));
  try {
    await host.initialize();
    await host.ask("tools/list");
    await approve(place, "notes");
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 9,
      method: "tools/call",
      params: { name: "read", arguments: {} },
    });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...host.inSession(),
    };
    const sent = request(gateway.url("notes"), { method: "POST", headers });
    sent.end(body);
    const [answer] = await once(sent, "response");
    let bytes = 0;
    let ends = "";
    answer.on("data", (part: Buffer) => {
      bytes += part.length;
      ends = part.toString("latin1", Math.max(0, part.length - 100));
    });
    answer.on("error", () => undefined);
    await Promise.all([closeOf(answer), hungUp.promise]);
    expect(answer.complete).toBe(false);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(ends).toMatch(/a$/);
    const metrics = await (await fetch(new URL("/metrics", gateway.origin))).text();
    expect(metrics).toMatch(/countersign_answers_cut\w*\{server="notes",code="NOT_PLAIN"\} 1\n/);
  } finally {
    host.close();
    await gateway.close();
    server.closeAllConnections();
    server.close();
  }
});
