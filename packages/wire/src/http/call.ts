import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LostCode, RemoteLimits } from "./remote-options.ts";

/** One request over HTTP, as it is sent. */
export interface Call {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether it does no harm twice. */
  readonly repeatable: boolean;
  readonly limits: RemoteLimits;
  /** The headers of the answer are there. Its body is for the caller to read, and its errors to hear. */
  readonly answered: (response: IncomingMessage) => void;
  readonly failed: (code: LostCode) => void;
}

/** Calls back once. Returns what breaks it off, after which it does not. */
export function call(options: Call): () => void {
  let over = false;
  let current: ClientRequest | undefined;
  const end = (request: ClientRequest) => {
    over = true;
    request.destroy();
  };
  const attempt = (url: URL, redirects: number, again: boolean): void => {
    const { method, headers, body, limits } = options;
    const tls = url.protocol === "https:";
    const { hostname, port, pathname, search } = url;
    const request = (tls ? httpsRequest : httpRequest)({
      ...{ method, port, path: search === "" ? pathname : pathname + search },
      hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
      headers: body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) },
      agent: tls ? agents().https : agents().http,
      // Whom we believe is not for a variable to decide.
      ...(tls ? { rejectUnauthorized: true } : {}),
      maxHeaderSize: limits.headers,
    });
    current = request;
    const fail = (code: LostCode) => {
      clearTimeout(silence);
      clearTimeout(connecting);
      if (over || current !== request) return;
      end(request);
      options.failed(code);
    };
    const silence = setTimeout(fail, limits.idle, "TIMED_OUT" satisfies LostCode);
    let connecting: NodeJS.Timeout | undefined;
    request.on("socket", (socket) => {
      if (!socket.connecting) return;
      connecting = setTimeout(fail, limits.connect, "UNREACHABLE" satisfies LostCode);
      socket.once(tls ? "secureConnect" : "connect", () => clearTimeout(connecting));
      // A peer that has gone without a word is noticed by what carries the stream.
      socket.setKeepAlive(true, keepAliveProbe);
    });
    request.on("response", (response) => {
      clearTimeout(silence);
      if (over) return;
      // An error after this is one of reading, and whoever reads hears it from the response.
      response.on("error", () => undefined);
      const { statusCode: status = 0 } = response;
      if (status < 300 || status > 399) {
        options.answered(response);
        return;
      }
      const to = redirects < mostRedirects ? redirected(status, response.headers.location, url) : undefined;
      if (to === undefined) return fail("REDIRECTED");
      response.destroy();
      attempt(to, redirects + 1, again);
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      const stale = request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      clearTimeout(silence);
      clearTimeout(connecting);
      // A kept connection that the server was just closing: nothing was lost but the race.
      if (stale && again && !over && current === request && options.repeatable) attempt(url, redirects, false);
      else fail(lostBy(error));
    });
    request.end(body);
  };
  attempt(options.url, 0, true);
  return () => {
    if (current !== undefined) end(current);
  };
}

/** To the same origin, with the same method and body; a server that sends us elsewhere would get our headers there. */
function redirected(status: number, location: string | undefined, from: URL): URL | undefined {
  if (status !== 307 && status !== 308) return undefined;
  const to = location === undefined ? null : URL.parse(location, from.href);
  if (to === null || to.origin !== from.origin || to.username !== "" || to.password !== "") return undefined;
  to.hash = "";
  return to;
}

function lostBy({ code = "" }: NodeJS.ErrnoException): LostCode {
  if (code.startsWith("HPE_")) return "BAD_HTTP";
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)/.test(code) ? "BAD_CERTIFICATE" : "UNREACHABLE";
}

/** Shared by all links: a connection says nothing about who used it. Most servers close one that was idle for five seconds. */
function agents() {
  shared ??= { http: new HttpAgent(keeping), https: new HttpsAgent(keeping) };
  return shared;
}

let shared: { readonly http: HttpAgent; readonly https: HttpsAgent } | undefined;
const keeping = { keepAlive: true, timeout: 4_000, maxFreeSockets: 256, scheduling: "lifo" } as const;

const mostRedirects = 3;
const keepAliveProbe = 30_000;
