import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerName } from "@countersign/core";
import { type Admitted, ServedServer, type ServedServerOptions } from "./served-server.ts";

export type GatewayOptions = Pick<ServedServerOptions, "ledger" | "limits" | "report"> & {
  readonly servers: ReadonlyMap<ServerName, Pick<ServedServerOptions, "reached" | "settings">>;
  /** One line that a server wrote to stderr, as it is. */
  readonly stderr: (server: ServerName, line: string) => void;
};

/** Every configured server, for whoever was let in. */
export interface Gateway {
  readonly handle: (
    server: ServerName,
    request: IncomingMessage,
    response: ServerResponse,
    admitted: Admitted,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function openGateway({ servers, stderr, ...rest }: GatewayOptions): Gateway {
  const served = new Map<ServerName, ServedServer>();
  for (const [server, one] of servers) {
    served.set(server, new ServedServer({ ...rest, ...one, server, stderr: (line) => stderr(server, line) }));
  }
  return {
    async handle(server, request, response, admitted) {
      const one = served.get(server);
      if (one === undefined) response.writeHead(404).end();
      else await one.handle(request, response, admitted);
    },
    async close() {
      await Promise.all([...served.values()].map((one) => one.close()));
    },
  };
}
