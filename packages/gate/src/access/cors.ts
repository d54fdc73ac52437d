import type { IncomingMessage, ServerResponse } from "node:http";

/** Lets the page of a listed origin read the answer. It says nothing about whether there will be one. */
export function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", exposed);
  response.appendHeader("vary", "Origin");
}

/** Whether a browser asks before it sends a page's request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** No credential comes with a preflight, so this is said to the page of every listed origin. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): undefined {
  const wanted = (request.headers["access-control-request-headers"] ?? "").toLowerCase().split(",");
  const headers = wanted.map((name) => name.trim()).filter((name) => sent.has(name) || parameter.test(name));
  response.setHeader("access-control-allow-methods", "GET, POST, DELETE");
  if (headers.length > 0) response.setHeader("access-control-allow-headers", headers.join(", "));
  if (request.headers["access-control-request-private-network"] === "true") {
    response.setHeader("access-control-allow-private-network", "true");
  }
  response.setHeader("access-control-max-age", "600");
  response.appendHeader("vary", "Access-Control-Request-Headers");
  response.writeHead(204).end();
}

/** What clients of the protocol send, and what they read. */
const sent: ReadonlySet<string> = new Set([
  ...["accept", "authorization", "content-type", "last-event-id", "traceparent", "tracestate"],
  ...["mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"],
]);
const parameter = /^mcp-param-[a-z0-9_-]{1,64}$/;
const exposed = "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate, Retry-After";
