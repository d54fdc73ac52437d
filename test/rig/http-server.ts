import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";

export interface HttpServer {
  readonly url: URL;
  /** The methods of all messages that came, in order. */
  readonly methods: readonly string[];
  /** The `mcp-protocol-version` header of each. */
  readonly versions: readonly (string | undefined)[];
  toolsChanged(): void;
  close(): Promise<void>;
}

/** Whether a request may be answered; what may not be it has answered itself. */
export type Admit = (request: IncomingMessage, response: ServerResponse, body: string) => Promise<boolean>;

/** Serves what the SDK's server is built to offer on a loopback port, to clients of both eras. */
export async function serveHttp(build: () => McpServer, admit: Admit = async () => true): Promise<HttpServer> {
  const handler = createMcpHandler(() => build());
  const methods: string[] = [];
  const versions: (string | undefined)[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    if (!(await admit(request, response, body))) return;
    if (body !== "") {
      methods.push((JSON.parse(body) as { method: string }).method);
      versions.push(request.headers["mcp-protocol-version"]?.toString());
    }
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const init = { method: request.method ?? "GET", headers, signal: gone.signal };
    const answer = await handler.fetch(
      new Request(new URL(request.url ?? "/", "http://localhost"), body === "" ? init : { ...init, body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    methods,
    versions,
    toolsChanged: () => handler.notify.toolsChanged(),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await handler.close();
    },
  };
}
