import { lookup } from "node:dns/promises";
import { type ClientRequest, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isLoopback } from "../access/loopback.ts";
import { type AddressRange, addressRange } from "./address-range.ts";
import { SignInError } from "./sign-in-error.ts";

/** As the SDK asks for one. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface CarefulFetchOptions {
  /** The server that is signed in to, which the operator configured. All other URLs are of its choosing, or of those it named. */
  readonly resource: URL;
  /** Where it was found before. */
  readonly from?: AddressRange;
  readonly limits?: Partial<FetchLimits>;
  readonly signal?: AbortSignal;
}

export interface CarefulFetch {
  readonly fetch: Fetch;
  /** Where the server was found, over a connection that proved its name. */
  readonly from: () => AddressRange | undefined;
}

export interface FetchLimits {
  /** Bytes of an answer. */
  readonly body: number;
  /** Milliseconds of a whole exchange. */
  readonly time: number;
}

const limits: FetchLimits = { body: 1_048_576, time: 15_000 };

/**
 * Fetches what a sign-in needs from places that a server names: https only, plain http on this machine only, no redirect
 * to another origin, nothing long and nothing slow. What is named by a server that is reached over the internet is
 * reached there too: the address that is connected to is looked at, not a name that may mean another the next time.
 */
export function carefulFetch({ resource, signal, ...options }: CarefulFetchOptions): CarefulFetch {
  const { body, time } = { ...limits, ...options.limits };
  let { from } = options;
  const fetch: Fetch = async (given, init = {}) => {
    const url = new URL(given);
    if (url.protocol !== "https:" && url.protocol !== "http:")
      throw new SignInError({ is: "NOT_A_WEB_ADDRESS", at: url.href });
    if (url.username !== "" || url.password !== "") throw new SignInError({ is: "NOT_A_WEB_ADDRESS", at: url.href });
    if (url.protocol === "http:" && !isLoopback(url.hostname))
      throw new SignInError({ is: "PLAIN_HTTP", at: url.href });
    const own = url.origin === resource.origin;
    const timeout = AbortSignal.timeout(time);
    const signals = [timeout, signal, init.signal].filter((one) => one instanceof AbortSignal);
    try {
      return await exchange(url, init, AbortSignal.any(signals), body, (address) => {
        const range = addressRange(address);
        const allowed = own
          ? range !== "never" && (url.protocol === "https:" || range === "loopback")
          : reaches(from, range);
        if (!allowed) throw new SignInError({ is: "PRIVATE_ADDRESS", at: url.href });
        return () => {
          if (own) from ??= range;
        };
      });
    } catch (error) {
      if (timeout.aborted) throw new SignInError({ is: "TOO_SLOW", at: url.href }, { cause: error });
      if (signal?.aborted === true) throw new SignInError({ is: "STOPPED" }, { cause: error });
      if (error instanceof SignInError) throw error;
      throw new SignInError({ is: "UNREACHABLE", at: url.href, because: codeOf(error) }, { cause: error });
    }
  };
  return { fetch, from: () => from };
}

/** Whether a server at one range may send us to another. Of a server that has not been reached nothing is believed. */
function reaches(from: AddressRange | undefined, to: AddressRange): boolean {
  switch (from) {
    case undefined:
    case "never":
      return false;
    case "public":
      return to === "public";
    case "private":
      return to === "public" || to === "private";
    case "loopback":
      return to !== "never";
  }
}

async function exchange(
  url: URL,
  { method = "GET", headers, body }: RequestInit,
  signal: AbortSignal,
  longest: number,
  admit: (address: string) => () => void,
): Promise<Response> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host, family: isIP(host) }];
  signal.throwIfAborted();
  // Any address that may not be reached spoils the name.
  const reached = found.map(({ address }) => ({ address, note: admit(address) }));
  const sent = body === undefined || body === null ? undefined : Buffer.from(String(body));
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const fixed: LookupFunction = (_host, { all }, answer) => {
    const [first] = found;
    if (all === true) answer(null, found);
    else answer(null, first?.address ?? "", first?.family ?? 4);
  };
  const asked: ClientRequest = (url.protocol === "https:" ? overHttps : overHttp)(url, {
    method,
    signal,
    agent: false,
    lookup: fixed,
    headers: {
      accept: "application/json",
      ...Object.fromEntries(new Headers(headers)),
      ...(sent === undefined ? {} : { "content-length": String(sent.length) }),
    },
  });
  asked.on("error", reject);
  asked.on("response", (answer) => {
    reached.find(({ address }) => address === answer.socket.remoteAddress)?.note();
    const { statusCode = 0, headers: received } = answer;
    const to = redirected(url, statusCode, received.location);
    if (to !== undefined) {
      asked.destroy();
      reject(new SignInError({ is: "REDIRECTED", at: url.href, to }));
      return;
    }
    const encoding = received["content-encoding"] ?? "identity";
    const detail = encoding !== "identity" ? "COMPRESSED" : statusCode < 200 || statusCode > 599 ? "STATUS" : undefined;
    if (detail !== undefined) {
      asked.destroy();
      reject(new SignInError({ is: "BAD_ANSWER", at: url.href, detail }));
      return;
    }
    const chunks: Buffer[] = [];
    let length = 0;
    answer.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= longest) chunks.push(chunk);
      else {
        asked.destroy();
        reject(new SignInError({ is: "TOO_LARGE", at: url.href }));
      }
    });
    answer.on("error", reject);
    answer.on("end", () => {
      const bodiless = statusCode === 204 || statusCode === 205 || statusCode === 304;
      const location = received.location;
      resolve(
        new Response(bodiless ? null : Buffer.concat(chunks), {
          status: statusCode,
          headers: {
            "content-type": received["content-type"] ?? "application/octet-stream",
            ...(location === undefined ? {} : { location }),
          },
        }),
      );
    });
  });
  asked.end(sent);
  return promise;
}

/** Where a redirect leads that is not followed. One within the origin is left to the SDK, which follows it only there. */
function redirected(from: URL, status: number, location: string | undefined): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const to = URL.parse(location, from.href);
  return to !== null && to.origin === from.origin && to.username === "" && to.password === "" ? undefined : location;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
