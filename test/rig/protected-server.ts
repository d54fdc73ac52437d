import type { ServerResponse } from "node:http";
import { McpServer } from "@modelcontextprotocol/server";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { serveHttp } from "./http-server.ts";

/** A real MCP server at a URL, which answers whoever has a token of its issuer that is for it. */
export interface ProtectedServer {
  readonly url: URL;
  /** The tokens that were taken, and why others were not. */
  readonly taken: ReadonlySet<string>;
  readonly refused: readonly string[];
  requests(): number;
  /** Takes no token any more that it has taken before. */
  refuseAll(): void;
  close(): Promise<void>;
}

export async function serveProtected(issuer: string): Promise<ProtectedServer> {
  const keys = createRemoteJWKSet(new URL("/jwks", issuer));
  const taken = new Set<string>();
  const revoked = new Set<string>();
  const refused: string[] = [];
  let requests = 0;
  const server = await serveHttp(buildNotes, async (request, response, body) => {
    requests++;
    const resource = server.url.href;
    const { origin } = server.url;
    if (request.url === "/.well-known/oauth-protected-resource/mcp") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ resource, authorization_servers: [issuer], scopes_supported: ["notes.read"] }));
      return false;
    }
    const challenge = (status: number, rest: string) => {
      const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      return end(response, status, `Bearer ${metadata}${rest}`);
    };
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined) return challenge(401, "");
    if (revoked.has(token)) return challenge(401, ', error="invalid_token"');
    let scope: unknown;
    try {
      ({
        payload: { scope },
      } = await jwtVerify(token, keys, { issuer, audience: resource }));
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error));
      return challenge(401, ', error="invalid_token"');
    }
    if (body.includes('"write_note"') && !String(scope).split(" ").includes("notes.write"))
      return challenge(403, ', error="insufficient_scope", scope="notes.write"');
    taken.add(token);
    return true;
  });
  return {
    url: server.url,
    taken,
    refused,
    requests: () => requests,
    refuseAll: () => {
      for (const token of taken) revoked.add(token);
    },
    close: () => server.close(),
  };
}

function end(response: ServerResponse, status: number, challenge: string): false {
  response.writeHead(status, { "www-authenticate": challenge }).end();
  return false;
}

/** What it offers. */
export function buildNotes(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  for (const name of ["read_note", "write_note"])
    server.registerTool(name, { description: `Does a ${name}.` }, async () => ({
      content: [{ type: "text", text: `${name} done` }],
    }));
  return server;
}
