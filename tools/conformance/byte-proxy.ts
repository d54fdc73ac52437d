import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface ByteProxy {
  readonly origin: string;
  close(): Promise<void>;
}

/** What stands in between and understands nothing. It is the suite's control: only what the gateway changes may differ from it. */
export async function byteProxy(to: URL): Promise<ByteProxy> {
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, host: to.host };
    const { url: path = "/", method = "GET" } = incoming;
    const upstream = request(new URL(path, to), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
