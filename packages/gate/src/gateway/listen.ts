import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { ServerName } from "@countersign/core";
import type { AccessEvent } from "../access/access-event.ts";
import type { Access } from "../access/admission.ts";
import { answerError } from "../access/answer-refusal.ts";
import type { Reachable } from "../access/host-and-origin.ts";
import { isLoopback } from "../access/loopback.ts";
import type { Principal } from "../access/principal.ts";
import { Refusals } from "../access/refusals.ts";
import { GateError } from "../gate-error.ts";
import type { GatewayLimits } from "./limits.ts";
import { type Looking, lookAtRequest, type Page } from "./look-at-request.ts";
import { isEveryAddress, refusedListening } from "./may-listen.ts";
import { OpenExchanges } from "./open-exchanges.ts";
import { discardBody, readBody } from "./read-body.ts";
import { type ServedFiles, serveFiles, type TlsFiles } from "./tls-files.ts";

/** Where one request goes that was let in. */
export interface To {
  readonly server: ServerName;
  readonly principal: Principal;
  /** The token that came, for a server that is marked for it; nothing else of what came may be handed on as a credential. */
  readonly bearer?: string;
  /** What follows the path, with its question mark; or nothing. */
  readonly query: string;
  /** The whole body. Undefined where it was too large, which is answered already, or broke off. */
  readonly body: () => Promise<Buffer | undefined>;
  /**
   * A stream that waits for news is to be ended now. The reason is `draining`, `expired` or `revoked`. What answers a
   * request may go on, except after `revoked`: that is cut off a second later.
   */
  readonly ends: AbortSignal;
}

export interface ListenOptions extends Omit<Reachable, "onLoopback"> {
  /** An address or a name, and a port; 0 for any. */
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsFiles;
  /** Something in front ends TLS, and nothing else can reach this address. */
  readonly behindTlsProxy: boolean;
  readonly limits: GatewayLimits;
  readonly access: Access;
  /** Whether the operator marked the server for the token of whoever calls. */
  readonly passesToken: (server: ServerName) => boolean;
  readonly pages: ReadonlyMap<string, Page>;
  readonly handle: (request: IncomingMessage, response: ServerResponse, to: To) => void;
  readonly report: (event: AccessEvent) => void;
}

export interface Listening {
  readonly url: URL;
  readonly isDraining: () => boolean;
  /** Requests that are being answered, open streams among them. */
  readonly open: () => number;
  /** Ends it: new connections are refused, streams get their end, requests a time to finish. Resolves when all are closed. */
  readonly drain: () => Promise<void>;
}

/**
 * Listens for hosts. All that can be told of a request from its headers is told before anything of its body is read; only
 * then it is handed on.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { access, behindTlsProxy, limits, report } = options;
  const onLoopback = isLoopback(options.host);
  const refused = refusedListening({ ...options, onLoopback, anonymous: access.anonymous });
  if (refused !== undefined) throw refused;
  const files = options.tls === undefined ? undefined : await serveFiles(options.tls, report);
  const open = new OpenExchanges(access, report);
  let draining = false;
  const refusals = new Refusals({ most: limits.refusals, report });
  const looking = {
    ...{ access, limits, onLoopback, refusals, pages: options.pages, origins: options.origins },
    hosts: [...options.hosts, ...nameOf(options.host)],
    secure: files !== undefined || behindTlsProxy,
  };
  const server = serverOf(limits, files, listenerOf(options, { looking, open, isDraining: () => draining }));
  const stop = () => {
    files?.stop();
    open.stop();
  };
  try {
    const { address } = await bound(server, options);
    if (onLoopback && !isLoopback(address)) {
      server.close();
      const where = `Cannot listen on ${options.host}:${options.port}`;
      throw new GateError("CONFIG", `${where}: the name is that of ${address}, which others can reach; give 127.0.0.1`);
    }
  } catch (error) {
    stop();
    throw error;
  }
  const drain = async (): Promise<void> => {
    draining = true;
    report({ is: "draining", open: open.size });
    if (limits.drainNotice > 0) await new Promise((noticed) => setTimeout(noticed, limits.drainNotice * 1_000));
    const closed = new Promise<void>((done) => server.close(() => done()));
    open.endAll();
    let cut = 0;
    const late = setTimeout(() => {
      cut = open.size;
      server.closeAllConnections();
    }, limits.drainGrace * 1_000);
    // A client would keep the connection of what has ended for its next request.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    await closed;
    clearTimeout(late);
    clearInterval(idle);
    stop();
    report({ is: "drained", cut });
  };
  let drained: Promise<void> | undefined;
  return {
    url: urlOf(server, files !== undefined),
    isDraining: () => draining,
    open: () => open.size,
    drain: () => {
      drained ??= drain();
      return drained;
    },
  };
}

function serverOf(limits: GatewayLimits, files: ServedFiles | undefined, listener: RequestListener): Server {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeout * 1_000,
    requestTimeout: Math.max(limits.requestTimeout, limits.headersTimeout) * 1_000,
    keepAliveTimeout: limits.idleTimeout * 1_000,
    connectionsCheckingInterval: 1_000,
    // A peer that is gone without a word is found by the system, however long its stream is.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
  const server = files === undefined ? createServer(options) : serverWith(files, options);
  // Node would leave out in silence what is beyond it; `headers` is counted later, and their bytes are bounded.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connections;
  server.on("request", listener);
  // A body that waits for our word would be asked for before anybody has looked at the headers.
  server.on("checkContinue", listener);
  return server;
}

function serverWith(files: ServedFiles, options: ServerOptions & { readonly headersTimeout: number }): Server {
  const server = createTlsServer({ ...options, ...files.options, handshakeTimeout: options.headersTimeout });
  files.keepIn(server);
  return server;
}

function bound(server: Server, { host, port }: ListenOptions): Promise<AddressInfo> {
  return new Promise((listening, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const cause = error.code === "EADDRINUSE" ? "another program listens there" : (error.code ?? error.message);
      const message = `Cannot listen on ${host}:${port}: ${cause}; give another address with --listen`;
      failed(new GateError("CONFIG", message, { cause: error }));
    });
    server.listen({ host, port }, () => listening(server.address() as AddressInfo));
  });
}

/** The address by which it is reached, where it is one: a page may ask for 0.0.0.0 as well. */
function nameOf(host: string): readonly string[] {
  if (isEveryAddress(host)) return [];
  return [host.includes(":") ? `[${host}]` : host];
}

function urlOf(server: Server, tls: boolean): URL {
  const { address, port } = server.address() as AddressInfo;
  return new URL(`${tls ? "https" : "http"}://${address.includes(":") ? `[${address}]` : address}:${port}/`);
}

interface Means {
  readonly looking: Looking;
  readonly open: OpenExchanges;
  readonly isDraining: () => boolean;
}

function listenerOf(options: ListenOptions, { looking, open, isDraining }: Means): RequestListener {
  const { limits } = looking;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isDraining()) response.setHeader("connection", "close");
    const letIn = await lookAtRequest(request, response, looking);
    if (letIn === undefined) return discardBody(request, limits.bodyBytes);
    // The client may have gone while its credential was looked at, and would never be heard to go again.
    if (response.closed) return;
    const { server, query, admitted } = letIn;
    const ends = isDraining() ? undefined : open.add(response, admitted, limits.streams);
    if (ends === undefined) {
      response.setHeader("retry-after", "1");
      if (isDraining()) answerError(response, 503, "the gateway is about to end");
      else answerError(response, 429, "too many requests and streams of one principal at once");
      return discardBody(request, limits.bodyBytes);
    }
    withoutCredentials(request);
    const { by, principal } = admitted;
    const passed = by.is === "jwt" && options.passesToken(server) ? { bearer: by.token } : {};
    const body = () => readBody(request, response, limits.bodyBytes);
    options.handle(request, response, { server, principal, ...passed, query, body, ends });
  };
  return (request, response) => {
    request.on("error", () => response.destroy());
    response.on("error", () => response.destroy());
    answer(request, response).catch((error: unknown) => {
      options.report({ is: "trouble", error: error instanceof Error ? error.message : String(error) });
      if (response.headersSent) response.destroy();
      else answerError(response, 500, "the request could not be looked at");
    });
  };
}

/** Whoever is handed the request cannot pass on by mistake what was meant for this gateway. */
function withoutCredentials(request: IncomingMessage): void {
  let any = false;
  for (const name of credentials) {
    if (request.headers[name] === undefined) continue;
    any = true;
    delete request.headers[name];
  }
  if (!any) return;
  const raw: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(index, index + 2);
    if (!credentials.has(name.toLowerCase())) raw.push(name, value);
  }
  request.rawHeaders = raw;
}

const credentials: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie"]);
