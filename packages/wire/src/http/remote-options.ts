import { maxFrameBytes } from "../frame.ts";
import type { HeaderParam } from "./header-params.ts";

/** How a server at a URL is reached, and who hears what it says. */
export interface RemoteOptions {
  readonly url: URL;
  /** `auto`: Streamable HTTP, and the older HTTP with SSE where a server refuses the handshake of that. */
  readonly transport?: "auto" | "http" | "sse";
  /** Asked for at each request: the operator's own headers, and the credential. Lower-case names. */
  readonly headers: () => Promise<ReadonlyMap<string, string>>;
  /** A 401, or a 403 that asks for more scope. Whether the request is to be sent once more. */
  readonly unauthorized: (challenge: Challenge) => Promise<boolean>;
  /** Which arguments of a tool are repeated in headers, by its approved schema. Asked at each call of the newer era, by `send`. */
  readonly headerParams?: (tool: string) => readonly HeaderParam[];
  /**
   * Whether the link goes on with a stream that broke off, and keeps the stream of its session open: for a host that
   * knows no streams. Otherwise it only mirrors what the server does, and whoever listens decides.
   */
  readonly resumes: boolean;
  readonly heard: RemoteListener;
  readonly limits?: Partial<RemoteLimits>;
}

export interface Challenge {
  readonly status: 401 | 403;
  /** Server-written. */
  readonly wwwAuthenticate: string | undefined;
}

/**
 * What one exchange with the server carries: the POST of one message of ours, or a GET. With `resumes`, what continues a
 * POST belongs to its exchange. Over HTTP with SSE, the answer to a request and its end are told of the request's exchange,
 * and everything else of the one `stream`.
 */
export interface Exchange {
  readonly of: "request" | "notification" | "answer" | "stream";
  /** Of a request: its method, and the key of its id (`Id.key`). */
  readonly method?: string;
  readonly id?: string;
}

/** Everything is told in the order in which it came: `begins` first and at most once, `ends` last and exactly once. */
export interface RemoteListener {
  /**
   * The answer has begun. `sse` and `json`: messages follow; `empty`: none does. The status is the server's own; with one of
   * 400 and more, a message follows only where the body is an answer of JSON-RPC.
   */
  readonly begins: (exchange: Exchange, head: Head) => void;
  /** Not read: any bytes that were the data of an event or a body. */
  readonly message: (bytes: Buffer, exchange: Exchange, event?: { readonly id: string }) => void;
  /** An event without a message, such as a priming one, or a `retry`. */
  readonly beat: (exchange: Exchange, event: { readonly id?: string; readonly retry?: number }) => void;
  /** A message of a request's exchange is longer than `limits.held`. Undefined: it is held like any other. */
  readonly large: (exchange: Exchange) => LargeAnswer | undefined;
  /** A message was longer than `limits.message`: its beginning and its end. */
  readonly tooLong: (ends: Buffer, exchange: Exchange) => void;
  /**
   * The server's part of the exchange is over. Whoever still waits for an answer to its request gets none; only where it is
   * mirrored, and an event of it had an id, `listen` may still bring one.
   */
  readonly ends: (exchange: Exchange, how: ExchangeEnd) => void;
  /** With `resumes`: the server had lost the session and has a new one, of which nothing is known. */
  readonly reopened?: () => void;
}

export interface Head {
  readonly status: number;
  readonly as: "sse" | "json" | "empty";
}

/** Takes one long message as it comes, from its first byte. */
export interface LargeAnswer {
  /** Whether more is welcome now. Otherwise the server is not read until `onDrain`'s listener is called. */
  readonly push: (bytes: Buffer) => boolean;
  readonly onDrain: (resume: () => void) => void;
  /** `complete`: all of it was pushed. With the id of its event, where it is one and has one. */
  readonly end: (complete: boolean, event?: { readonly id: string }) => void;
}

export type ExchangeEnd =
  | { readonly is: "done" }
  /** By `stop` or `close`. */
  | { readonly is: "stopped" }
  /** By its status, without an answer of JSON-RPC. A 405 to a GET: there is no such stream. */
  | { readonly is: "refused"; readonly status: number }
  | { readonly is: "lost"; readonly code: LostCode }
  | { readonly is: "needs-sign-in" }
  /** The session is not known any more: it has to be opened again by `initialize`. */
  | { readonly is: "session-gone" };

export type LostCode =
  /** No connection, or none that held until the answer began. */
  | "UNREACHABLE"
  /** The certificate of the server is not one to trust. */
  | "BAD_CERTIFICATE"
  /** It ended before it was complete. */
  | "BROKE_OFF"
  /** Silence for too long. */
  | "TIMED_OUT"
  /** Not `application/json`, `text/event-stream` or nothing; or compressed. */
  | "BAD_CONTENT_TYPE"
  /** To another origin, by another method, or too often. */
  | "REDIRECTED"
  | "BAD_SESSION_ID"
  /** Over HTTP with SSE: no `endpoint`, or one of another origin. */
  | "BAD_ENDPOINT"
  /** Headers that are too long or no HTTP. */
  | "BAD_HTTP"
  | "TOO_MANY_EXCHANGES"
  /** The operator's headers could not be had. */
  | "NO_HEADERS";

export interface RemoteLimits {
  /** Bytes of the headers of an answer. */
  readonly headers: number;
  /** Bytes of one message. */
  readonly message: number;
  /** Bytes of a message after which `large` is asked. */
  readonly held: number;
  /** Exchanges at one time. */
  readonly open: number;
  /** Milliseconds to connect. */
  readonly connect: number;
  /** Milliseconds of silence before an answer begins, and between the bytes of a stream that answers a request. */
  readonly idle: number;
  /** Milliseconds of silence within a body that is no stream. */
  readonly body: number;
}

export const defaultRemoteLimits: RemoteLimits = {
  ...{ headers: 32 * 1024, message: maxFrameBytes, held: 256 * 1024, open: 1_024 },
  ...{ connect: 15_000, idle: 15 * 60_000, body: 60_000 },
};
