import { z } from "zod";
import { defaultLimits, type GatewayLimits } from "./limits.ts";

function whole(min: number, max: number, of: keyof GatewayLimits, what: string) {
  return z.int().min(min).max(max).optional().describe(`${what} (default ${defaultLimits[of]})`);
}

/** `gateway.limits` of the config. None can be switched off. */
export const limitsSchema = z
  .strictObject({
    headerBytes: whole(4_096, 1_048_576, "headerBytes", "Bytes of all headers of a request"),
    headers: whole(20, 2_000, "headers", "How many headers a request may have"),
    bodyBytes: whole(1_024, 16_777_216, "bodyBytes", "Bytes of a request's body"),
    headersTimeout: whole(1, 300, "headersTimeout", "Seconds until all headers of a request have come"),
    requestTimeout: whole(1, 3_600, "requestTimeout", "Seconds until all of a request has come"),
    idleTimeout: whole(1, 3_600, "idleTimeout", "Seconds that a connection waits for the next request"),
    connections: whole(1, 1_000_000, "connections", "Connections that are open at once"),
    streams: whole(
      1,
      1_000_000,
      "streams",
      "Requests of one caller that are being answered at once, open streams among them",
    ),
    sessions: whole(1, 1_000_000, "sessions", "Sessions of one caller, of the protocol's older era"),
    refusals: whole(1, 100_000, "refusals", "Credentials from one address that fail in a minute before it has to wait"),
    drainNotice: whole(
      0,
      600,
      "drainNotice",
      "Seconds for which it goes on after SIGTERM while /readyz says that it will end",
    ),
    drainGrace: whole(0, 3_600, "drainGrace", "Seconds after that in which requests may finish"),
  })
  .describe("What the gateway takes on at most");

/** What is not said is as it is by default. */
export function limitsOf(given: z.infer<typeof limitsSchema> = {}): GatewayLimits {
  const limits: Record<keyof GatewayLimits, number> = { ...defaultLimits };
  for (const name of Object.keys(defaultLimits) as (keyof GatewayLimits)[]) limits[name] = given[name] ?? limits[name];
  return limits;
}
