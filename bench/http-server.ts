import { createServer } from "node:http";
import { type Message, resultOf } from "./repeat-tool.ts";

// The server of raw-server.ts over HTTP, as of 2025-11-25. Its one argument is the port.
let sessions = 0;

createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    if (request.method !== "POST") {
      response.writeHead(request.method === "DELETE" ? 200 : 405).end();
      return;
    }
    const message: Message = JSON.parse(Buffer.concat(parts).toString());
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) });
    if (message.method === "initialize") response.setHeader("mcp-session-id", `session-${++sessions}`);
    response.setHeader("content-type", "application/json");
    response.setHeader("content-length", Buffer.byteLength(body));
    response.end(body);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
