import { randomBytes } from "node:crypto";
import { emptySnapshot, type Offer, type ServerName } from "@countersign/core";
import { defaultPolicy, rule } from "@countersign/judge";
import { type ClientTransport, guardClientTransport, onlyLists } from "@countersign/wire";
import type { Look } from "../look.ts";
import { version } from "../version.ts";

/**
 * What a server offers that a transport reaches, to a host that approves nothing: as `lookAt`, for a server of this very
 * process for instance. The transport is closed afterwards.
 *
 * @param deadline milliseconds for the whole look
 */
export async function lookThrough(
  server: ServerName,
  transport: ClientTransport,
  deadline: number,
): Promise<Pick<Look, "offers" | "failures">> {
  const offers = new Map<string, Offer>();
  const failures: Look["failures"][number][] = [];
  const guarded = guardClientTransport(transport, async () => ({
    guard: {
      server,
      rule: async (offer) => {
        offers.set(offer.source, offer);
        return rule(offer, emptySnapshot, defaultPolicy);
      },
      known: async () => false,
      ...onlyLists,
      report: (event) => {
        if (event.is === "list-failed") failures.push({ source: event.source, code: event.code });
      },
      nonce: `countersign-${randomBytes(16).toString("hex")}`,
      checkpoints: { load: true, change: false, refetchOnCall: false },
      limits: { load: deadline },
    },
    started: () => undefined,
    close: async () => undefined,
  }));
  const { promise, resolve } = Promise.withResolvers<"refused" | "answered" | "too late">();
  const timer = setTimeout(resolve, deadline, "too late");
  guarded.onclose = () => resolve("refused");
  const ask = async (message: { readonly id: number; readonly [key: string]: unknown }) => {
    const answer = Promise.withResolvers<"refused" | "answered">();
    guarded.onmessage = (said) => {
      const { id, error } = said as { readonly id?: unknown; readonly error?: unknown };
      if (id === message.id) answer.resolve(error === undefined ? "answered" : "refused");
    };
    await guarded.send({ jsonrpc: "2.0", ...message });
    return Promise.race([answer.promise, promise]);
  };
  try {
    await guarded.start();
    let said = await ask(initialize);
    if (said === "refused") said = await ask(discover);
    if (said !== "answered") failures.push({ source: "initialize", code: "NO_ANSWER" });
  } finally {
    clearTimeout(timer);
    await guarded.close();
  }
  return { offers: [...offers.values()], failures };
}

const clientInfo = { name: "countersign", version };
const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
};
const discover = {
  id: 2,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": clientInfo,
    },
  },
};
