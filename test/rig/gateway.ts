import { Child } from "./child.ts";
import type { Place } from "./place.ts";

/** A gateway that runs, and the servers that it serves. */
export interface Gateway {
  readonly origin: string;
  /** Where hosts reach one of its servers. */
  url(server: string): URL;
  readonly child: Child;
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** The `servers` of the config. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** More of `gateway` in the config. */
  readonly gateway?: Readonly<Record<string, unknown>>;
  /** More of the config. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Let in whoever comes; otherwise keys or tokens decide. */
  readonly anonymous?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the gateway on a port of its own, with the config and the ledger of a place. Resolves when it serves. */
export async function gatewayIn(place: Place, options: GatewayOptions): Promise<Gateway> {
  const { servers, gateway = {}, config = {}, anonymous = true, env = {} } = options;
  place.write("config/countersign/countersign.jsonc", {
    ...config,
    servers,
    gateway: { listen: "127.0.0.1:0", ...gateway },
  });
  const command = place.command("gateway", ...(anonymous ? ["--anonymous"] : []));
  const child = new Child(command, { cwd: place.folder, env: { ...place.env, ...env } });
  const origin = await child.says(/listening(?: at[ =]|"[^\n]*"at":")(https?:\/\/[^/\s"]+)/);
  return {
    origin,
    url: (server) => new URL(`/${server}/mcp`, origin),
    child,
    async close() {
      await child.end();
    },
  };
}
