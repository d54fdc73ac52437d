import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InMemoryEventStore } from "@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

export interface SessionServer {
  readonly url: URL;
  /** Of the older HTTP with SSE, and of nothing else. */
  readonly oldUrl: URL;
  /** What came, as `POST tools/call` or `GET`, each with its headers. */
  readonly came: readonly { readonly what: string; readonly headers: IncomingMessage["headers"] }[];
  readonly sessions: () => number;
  /** Requests without this `authorization` are answered by 401. */
  demand(authorization: string): void;
  /** Knows none of its sessions any more, as after a restart. */
  forget(): void;
  /** What the tool says of itself from now on. */
  describe(description: string): void;
  close(): Promise<void>;
}

/** The SDK's v1 server over HTTP, with sessions and an event store, and beside it the older HTTP with SSE. */
export async function serveSessions(): Promise<SessionServer> {
  const came: { what: string; headers: IncomingMessage["headers"] }[] = [];
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: McpServer }>();
  const older = new Map<string, { transport: SSEServerTransport; server: McpServer }>();
  let demanded: string | undefined;
  let description = "Returns the text of one note.";
  const build = () => {
    const server = new McpServer(
      { name: "notes", version: "1.0.0" },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.registerTool("read_note", { description, inputSchema: { name: z.string() } }, ({ name }) => ({
      content: [{ type: "text", text: `text of ${name}` }],
    }));
    server.registerTool(
      "slow_note",
      { description: "Returns a note that takes its time.", inputSchema: {} },
      async (_args, extra) => {
        // The server hangs up, and has the answer for whoever comes again.
        extra.closeSSEStream?.();
        await new Promise((later) => setTimeout(later, 200));
        return { content: [{ type: "text", text: "slow" }] };
      },
    );
    server.registerTool("ask_note", { description: "Asks which note is meant.", inputSchema: {} }, async () => {
      const { action } = await server.server.elicitInput({
        message: "Which note?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } },
      });
      return { content: [{ type: "text", text: action }] };
    });
    return server;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = Buffer.concat(await request.toArray());
    const body = bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
    came.push({
      what: [request.method, body?.method].filter((part) => part !== undefined).join(" "),
      headers: request.headers,
    });
    if (demanded !== undefined && request.headers.authorization !== demanded) {
      response.writeHead(401, { "www-authenticate": 'Bearer resource_metadata="http://127.0.0.1:1/x"' }).end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/sse" && request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      const server = build();
      older.set(transport.sessionId, { transport, server });
      await server.connect(transport);
      return;
    }
    if (pathname === "/messages") {
      const known = older.get(searchParams.get("sessionId") ?? "");
      if (known === undefined) response.writeHead(404).end();
      else await known.transport.handlePostMessage(request, response, body);
      return;
    }
    if (pathname !== "/mcp") {
      response.writeHead(404).end();
      return;
    }
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known !== undefined) {
      await known.transport.handleRequest(request, response, body);
      return;
    }
    if (body?.method !== "initialize") {
      response.writeHead(typeof id === "string" ? 404 : 400).end();
      return;
    }
    const server = build();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: new InMemoryEventStore(),
      retryInterval: 50,
      onsessioninitialized: (session) => void sessions.set(session, { transport, server }),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await server.connect(transport as Parameters<McpServer["connect"]>[0]);
    await transport.handleRequest(request, response, body);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    oldUrl: new URL(`http://127.0.0.1:${port}/sse`),
    came,
    sessions: () => sessions.size,
    demand: (authorization) => {
      demanded = authorization;
    },
    forget: () => sessions.clear(),
    describe: (text) => {
      description = text;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
