import type { IncomingMessage } from "node:http";
import { isLoopback } from "./loopback.ts";

/** Under which names the gateway is reached, and which web pages may call it. */
export interface Reachable {
  /** Names, with a port where only that one counts: `mcp.example.com`, `mcp.example.com:8443`. */
  readonly hosts: readonly string[];
  /** As a browser writes them: `https://chat.example.com`. */
  readonly origins: readonly string[];
  /** It listens on a loopback address, so the names of this machine count as well. */
  readonly onLoopback: boolean;
}

export type Reached =
  | {
      readonly is: "ours";
      /** As the client wrote it, in lower case. */
      readonly host: string;
      /** The web page that asks, where one does that may read the answer. */
      readonly origin?: string;
    }
  | { readonly is: "foreign"; readonly what: "target" | "host" | "origin" };

/**
 * Whether a request was meant for this gateway. A page whose name was made to point at this machine (DNS rebinding) sends
 * its own name as the host, and its own origin.
 */
export function reachedBy(request: IncomingMessage, { hosts, origins, onLoopback }: Reachable): Reached {
  if (request.url?.startsWith("/") !== true) return { is: "foreign", what: "target" };
  const host = onlyOne(request, "host")?.toLowerCase();
  const named = host === undefined ? undefined : nameIn(host);
  if (host === undefined || named === undefined) return { is: "foreign", what: "host" };
  const local = onLoopback && isLoopback(named);
  if (!local && !hosts.some((one) => one.toLowerCase() === host || one.toLowerCase() === named)) {
    return { is: "foreign", what: "host" };
  }
  if (request.headers.origin === undefined) return { is: "ours", host };
  const origin = onlyOne(request, "origin")?.toLowerCase();
  if (origin === undefined) return { is: "foreign", what: "origin" };
  if (origins.some((one) => one.toLowerCase() === origin)) return { is: "ours", host, origin };
  // A page of this machine may ask, as the protocol has it; that it is not listed keeps it from reading what it is told.
  return local && isOfLoopback(origin) ? { is: "ours", host } : { is: "foreign", what: "origin" };
}

/** The name in front of a port. Undefined for what no client would send. */
function nameIn(host: string): string | undefined {
  return /^(?<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9._-]{0,253}[a-z0-9])?)(?::[0-9]{1,5})?$/.exec(host)?.groups?.[
    "name"
  ];
}

function isOfLoopback(origin: string): boolean {
  const host = /^https?:\/\/(?<host>[^/]+)$/.exec(origin)?.groups?.["host"];
  const name = host === undefined ? undefined : nameIn(host);
  return name !== undefined && isLoopback(name);
}

/** Node keeps the first of several; another reader may take the last. */
function onlyOne({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== name) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[index + 1];
  }
  return found;
}
