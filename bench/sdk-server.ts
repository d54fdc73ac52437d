import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

// The tool of raw-server.ts, as most servers offer one: by SDK v1, with sessions. Its one argument is the port.
const transports = new Map<string, StreamableHTTPServerTransport>();

function opened(): StreamableHTTPServerTransport {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void transports.set(session, transport),
    onsessionclosed: (session) => void transports.delete(session),
  });
  const server = new McpServer({ name: "sdk", version: "1" });
  const description = "Gives back a text of the length that it is asked for.";
  server.registerTool(
    "repeat",
    { description, inputSchema: { length: z.number().int().optional() } },
    ({ length }) => ({
      content: [{ type: "text", text: "x".repeat(length ?? 1) }],
    }),
  );
  // The SDK's own types disagree under `exactOptionalPropertyTypes`.
  void server.connect(transport as Parameters<typeof server.connect>[0]);
  return transport;
}

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const session = request.headers["mcp-session-id"];
  const transport = typeof session === "string" ? transports.get(session) : opened();
  if (transport === undefined) response.writeHead(404).end();
  else void transport.handleRequest(request, response);
}).listen(Number(process.argv[2]), "127.0.0.1");
