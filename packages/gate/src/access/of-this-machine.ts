import type { IncomingMessage } from "node:http";
import { isLoopback } from "./loopback.ts";

/**
 * Whether a request was made on this machine, by a name of it. What came through something in front of the gateway came from
 * somewhere else.
 */
export function isOfThisMachine({ headers, socket }: IncomingMessage): boolean {
  if (passedOn.some((one) => headers[one] !== undefined)) return false;
  const name = (headers.host ?? "").replace(/:[0-9]{1,5}$/, "");
  return isLoopback(name) && isLoopback(socket.remoteAddress ?? "");
}

const passedOn = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const;
