import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerName } from "@countersign/core";
import type { Access } from "./admission.ts";
import { answerError } from "./answer-refusal.ts";

/** RFC 9728 §3.1: in front of the path of what it describes. */
export const metadataPath = "/.well-known/oauth-protected-resource";

/**
 * Says where tokens for a server come from. It is said of every name alike, so it tells nobody which servers there are.
 *
 * @param base scheme and host, as the client reached them
 * @param server undefined for the gateway as a whole
 */
export function answerMetadata(
  request: IncomingMessage,
  response: ServerResponse,
  { url, scopes }: NonNullable<Access["issuer"]>,
  { base, server }: { readonly base: string; readonly server: ServerName | undefined },
): undefined {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return answerError(response, 405, "only GET is answered here");
  }
  const body = JSON.stringify({
    resource: server === undefined ? `${base}/` : `${base}/${server}/mcp`,
    authorization_servers: [url],
    bearer_methods_supported: ["header"],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
  });
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
