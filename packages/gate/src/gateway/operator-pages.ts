import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "./look-at-request.ts";

export interface OperatorPagesOptions {
  readonly metrics: () => string;
  readonly isDraining: () => boolean;
  readonly isLedgerReadable: () => Promise<boolean>;
}

/**
 * What an orchestrator and Prometheus ask for. The first two say nothing but yes or no, so anybody may ask: no name of a
 * server stands in them. The metrics hold those names, so they are for who may use every server.
 */
export function operatorPages({
  metrics,
  isDraining,
  isLedgerReadable,
}: OperatorPagesOptions): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ["/healthz", page("anybody", async () => ({ status: 200, body: "ok\n" }))],
    [
      "/readyz",
      page("anybody", async () => {
        if (isDraining()) return { status: 503, body: "draining\n" };
        return (await isLedgerReadable()) ? { status: 200, body: "ready\n" } : { status: 503, body: "no ledger\n" };
      }),
    ],
    [
      "/metrics",
      page("unrestricted", async () => ({
        status: 200,
        body: metrics(),
        type: "text/plain; version=0.0.4; charset=utf-8",
      })),
    ],
  ]);
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

function page(whom: Page["for"], answer: () => Promise<Answer>): Page {
  const write = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    const { status, body, type = "text/plain; charset=utf-8" } = await answer();
    const bytes = Buffer.from(body);
    response.writeHead(status, { "content-type": type, "content-length": bytes.length, "cache-control": "no-store" });
    response.end(request.method === "HEAD" ? undefined : bytes);
  };
  return {
    for: whom,
    answer: (request, response) => {
      write(request, response).catch(() => response.destroy());
    },
  };
}
