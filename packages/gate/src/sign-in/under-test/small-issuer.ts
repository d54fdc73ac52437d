import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A server and its issuer on this machine, each with the answers that a test gives it. What they are asked is written down. */
export interface SmallIssuer {
  /** Of the server: its MCP endpoint. */
  readonly url: URL;
  readonly issuer: string;
  /** By path, of either: a body that is sent as JSON, or a whole answer. Changed at will. */
  readonly answers: Map<string, unknown | Answer>;
  /** `POST /token grant_type=refresh_token&...`, of both. */
  readonly asked: string[];
  close(): void;
}

export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;

  constructor(status: number, body = "", headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Paths of the documents, in `answers`. */
export const paths = {
  resource: "/.well-known/oauth-protected-resource/mcp",
  issuer: "/.well-known/oauth-authorization-server",
} as const;

export async function smallIssuer(): Promise<SmallIssuer> {
  const answers = new Map<string, unknown>();
  const asked: string[] = [];
  const closing: (() => void)[] = [];
  const [server, issuer] = await Promise.all([listen(), listen()]);
  const url = new URL("/mcp", server);
  answers.set(paths.resource, {
    resource: url.href,
    authorization_servers: [issuer],
    scopes_supported: ["notes.read"],
  });
  answers.set(paths.issuer, {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
  answers.set("/register", { client_id: "registered", redirect_uris: ["http://127.0.0.1/callback"] });
  answers.set("/token", {
    access_token: "token-1",
    token_type: "Bearer",
    expires_in: 3_600,
    refresh_token: "refresh-1",
  });
  answers.set("/revoke", {});
  return { url, issuer, answers, asked, close: () => closing.forEach((close) => void close()) };

  async function listen(): Promise<string> {
    const server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://a");
      asked.push(await lineOf(request));
      const answer = answers.get(pathname);
      if (answer instanceof Answer) response.writeHead(answer.status, answer.headers).end(answer.body);
      else if (answer === undefined) response.writeHead(404).end();
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

async function lineOf(request: IncomingMessage): Promise<string> {
  const body = await text(request);
  return `${request.method} ${request.url}${body === "" ? "" : ` ${body}`}`;
}
