import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { memberOf, readJson, type ServerName } from "@countersign/core";
import { errorText } from "../error-text.ts";
import { type Frame, guessId, readFrame } from "../frame.ts";
import type { WireEvent } from "../wire-event.ts";
import { eraOf, headerOf, headersRefusal, isStateless, paramsBeside, revisions } from "./beside-body.ts";
import { serverEventId } from "./event-id.ts";
import type { Era, HostConnection } from "./host-connection.ts";
import { HostSeat, HostSession } from "./host-session.ts";
import { HostStream } from "./host-stream.ts";
import type { RequestWatch, WatchedRequest } from "./request-watch.ts";
import { statusOf } from "./status-of.ts";

export interface HostEndpointOptions {
  readonly server: ServerName;
  /** A connection with the server for a session, or for all requests of the newer era. May be one that others share. */
  readonly connect: (era: Era) => Promise<HostConnection | Unconnected>;
  /** A session has ended, or the endpoint has: the connection is needed no longer by it. */
  readonly release: (connection: HostConnection) => void;
  readonly report: (event: WireEvent) => void;
  readonly opened: () => void;
  readonly closed: (by: SessionEnd) => void;
  readonly watch: (request: WatchedRequest) => RequestWatch;
  /** A stream that stays open begins, or ends: not one that only answers. */
  readonly streams: (by: 1 | -1) => void;
  /** Nothing of the request came to a guard. */
  readonly turnedAway: (code: TurnedAway) => void;
  readonly limits: EndpointLimits;
}

/** Why there is no connection now. */
export interface Unconnected {
  /** One of our own codes. */
  readonly reason: string;
  /** What a person has to look at first. */
  readonly review?: string;
  /** Seconds after which it is worth another try. */
  readonly again?: number;
}

/** One request of somebody who may use the server. */
export interface LetIn {
  /** Resolves to undefined where there is none, and the request was answered. */
  readonly body: () => Promise<Buffer | undefined>;
  /** Streams that wait for news are to end: the credential counts no longer, or the gateway is about to stop. */
  readonly ends: AbortSignal;
}

/** Why nothing of a request came to a guard. */
export type TurnedAway =
  | "NO_SUCH_SESSION"
  | "BAD_METHOD"
  | "BAD_HEADERS"
  | "BAD_CONTENT_TYPE"
  | "BAD_BODY"
  | "TOO_MANY"
  | "NOT_REACHED";

/** Who ended a session. */
export type SessionEnd = "host" | "server" | "idle" | "drain";

export interface EndpointLimits {
  readonly sessions: number;
  /** Requests of one session, and of one principal's in the newer era, that wait for an answer. */
  readonly waiting: number;
  /** Milliseconds after which a session that nobody uses is over. */
  readonly idle: number;
}

export const defaultEndpointLimits: EndpointLimits = {
  ...{ sessions: 2_000, waiting: 1_000, idle: 3_600_000 },
};

type Request = Extract<Frame, { is: "request" }>;

/** One server as one principal's hosts reach it over HTTP, in both eras. */
export class HostEndpoint {
  readonly #options: HostEndpointOptions;
  readonly #sessions = new Map<string, { readonly session: HostSession; readonly connection: HostConnection }>();
  #stateless: Promise<HostConnection | Unconnected> | undefined;
  /** Seats of the newer era, each of one request. */
  readonly #open = new Set<HostSeat>();
  readonly #clock: NodeJS.Timeout;

  constructor(options: HostEndpointOptions) {
    this.#options = options;
    this.#clock = setInterval(() => this.#tick(), 5_000).unref();
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** Whether nobody uses it now. */
  get isIdle(): boolean {
    return this.#sessions.size === 0 && this.#open.size === 0;
  }

  /** Who asks is known, and may. */
  async handle(request: IncomingMessage, response: ServerResponse, admitted: LetIn): Promise<void> {
    switch (request.method) {
      case "POST":
        await this.#post(request, response, admitted);
        return;
      case "GET":
        this.#get(request, response, admitted);
        return;
      case "DELETE":
        this.#delete(request, response);
        return;
      default:
        response.setHeader("allow", "GET, POST, DELETE");
        this.#refuse(response, "BAD_METHOD", [405, -32000, "does not know this method of HTTP"]);
    }
  }

  /** The connection has ended: whoever had a session on it has to open one anew. */
  gone(connection: HostConnection): void {
    for (const [id, one] of this.#sessions) {
      if (one.connection !== connection) continue;
      this.#sessions.delete(id);
      one.session.close();
      this.#options.closed("server");
    }
    if (this.#stateless !== undefined) {
      void this.#stateless.then(
        (one) => {
          if (one === connection) this.#stateless = undefined;
        },
        () => undefined,
      );
    }
  }

  /** All sessions are over. */
  async close(): Promise<void> {
    clearInterval(this.#clock);
    for (const id of [...this.#sessions.keys()]) this.#end(id, "drain");
    for (const seat of this.#open) for (const stream of seat.streams.values()) stream.end();
    const stateless = await this.#stateless?.catch(() => undefined);
    this.#stateless = undefined;
    if (stateless !== undefined && !("reason" in stateless)) this.#options.release(stateless);
  }

  async #post(request: IncomingMessage, response: ServerResponse, letIn: LetIn): Promise<void> {
    if (!/^application\/json(?:\s*;|\s*$)/i.test(request.headers["content-type"] ?? "")) {
      this.#refuse(response, "BAD_CONTENT_TYPE", [415, -32000, "takes application/json only"]);
      return;
    }
    const accept = request.headers.accept ?? "";
    if (!accepts(accept, "application/json") || !accepts(accept, "text/event-stream")) {
      this.#refuse(response, "BAD_CONTENT_TYPE", [
        406,
        -32000,
        "answers with application/json or text/event-stream: accept both",
      ]);
      return;
    }
    const body = await letIn.body();
    if (body === undefined) return;
    const reading = readFrame(body);
    if (reading.is === "refused") {
      const { code, at } = reading.refusal;
      this.#options.report({ is: "frame-refused", from: "host", code, at });
      const isJson = readJson(body.toString("utf8")).is === "json";
      this.#refuse(response, "BAD_BODY", [
        400,
        isJson ? -32600 : -32700,
        `refused this message: ${code}`,
        guessId(body),
      ]);
      return;
    }
    const { frame } = reading;
    const said = headerOf(request, "mcp-protocol-version");
    if (eraOf(frame, said) === "stateless") await this.#postStateless(request, response, frame, letIn);
    else await this.#postInSession(request, response, frame, said);
  }

  async #postInSession(
    request: IncomingMessage,
    response: ServerResponse,
    frame: Frame,
    version: string | undefined,
  ): Promise<void> {
    if (version !== undefined && !revisions.has(version)) {
      this.#refuse(response, "BAD_HEADERS", [400, -32000, "does not know this MCP-Protocol-Version", idOf(frame)]);
      return;
    }
    const named = headerOf(request, "mcp-session-id");
    const opens = frame.is === "request" && frame.method === "initialize" && named === undefined;
    const known = opens ? await this.#begin(frame, response) : this.#sessionOf(named, response, idOf(frame));
    if (known === undefined) return;
    const { session, connection } = known;
    session.heard = performance.now();
    const { guard } = connection.side;
    if (frame.is === "request") {
      if (session.seat.streams.size >= this.#options.limits.waiting) {
        this.#refuse(response, "TOO_MANY", [
          429,
          -32000,
          "has too many requests of this session to answer",
          frame.id.text,
        ]);
        return;
      }
      if (session.seat.streams.has(frame.id.key)) {
        this.#refuse(response, "BAD_BODY", [
          400,
          -32600,
          "is still waiting for the answer to a request with this id",
          frame.id.text,
        ]);
        return;
      }
      const watch = this.#options.watch(watched(frame, request, session));
      const hungUp = () => {
        if (session.seat.streams.get(frame.id.key) !== stream) return;
        session.seat.streams.delete(frame.id.key);
        // No cancellation (2025 era): the host may ask for what it missed.
        const key = guard.keyOf(frame.id, session.seat);
        if (key === undefined) return;
        if (connection.side.listen !== undefined) guard.adrift(key);
        connection.side.hungUp(key);
      };
      const stream = new HostStream(response, hungUp, watch);
      session.seat.streams.set(frame.id.key, stream);
      // Before the answer: a stream may begin with an event that only names a place.
      if (opens) stream.header("mcp-session-id", session.id);
      guard.hear(frame, session.seat);
      return;
    }
    if (frame.is === "notification" || connection.mayAnswer(frame.id.key, session)) guard.hear(frame, session.seat);
    else this.#options.report({ is: "unasked-answer", from: "host" });
    response.writeHead(202).end();
  }

  async #begin(
    frame: Request,
    response: ServerResponse,
  ): Promise<{ readonly session: HostSession; readonly connection: HostConnection } | undefined> {
    if (this.#sessions.size >= this.#options.limits.sessions) {
      response.setHeader("retry-after", "60");
      this.#refuse(response, "TOO_MANY", [429, -32000, "has too many sessions open for this principal", frame.id.text]);
      return undefined;
    }
    const connection = await this.#connected(this.#options.connect("sessions"), response, frame);
    if (connection === undefined) return undefined;
    const session = new HostSession(randomBytes(24).toString("base64url"), frame.id.key);
    const known = { session, connection };
    this.#sessions.set(session.id, known);
    connection.sessions.add(session);
    this.#options.opened();
    return known;
  }

  async #connected(
    connecting: Promise<HostConnection | Unconnected>,
    response: ServerResponse,
    frame: Frame,
  ): Promise<HostConnection | undefined> {
    let why: Unconnected;
    try {
      const connected = await connecting;
      if (!("reason" in connected)) return connected;
      why = connected;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#options.report({ is: "broken", what: "connect", error: text });
      why = { reason: "BROKEN" };
    }
    const { reason, review, again } = why;
    if (again !== undefined) response.setHeader("retry-after", String(again));
    const ask = review === undefined ? "" : `; ask the user to review ${review}`;
    const data = `{"reason":"${reason}"${review === undefined ? "" : `,"review":"${review}"`}}`;
    this.#refuse(response, "NOT_REACHED", [503, -32603, `withholds this server: ${reason}${ask}`, idOf(frame), data]);
    return undefined;
  }

  #sessionOf(named: string | undefined, response: ServerResponse, id?: string) {
    if (named === undefined) {
      this.#refuse(response, "NO_SUCH_SESSION", [
        400,
        -32000,
        "needs the Mcp-Session-Id that it gave with the answer to initialize",
        id,
      ]);
      return undefined;
    }
    const found = this.#sessions.get(named);
    const over = found?.session.handshake === undefined && found?.connection.sessions.has(found.session) === false;
    if (over) this.#end(named, "server");
    const known = over ? undefined : found;
    if (known === undefined)
      this.#refuse(response, "NO_SUCH_SESSION", [
        404,
        -32001,
        "knows no session of this id: begin with initialize",
        id,
      ]);
    return known;
  }

  async #postStateless(
    request: IncomingMessage,
    response: ServerResponse,
    frame: Frame,
    { ends }: LetIn,
  ): Promise<void> {
    const version = headerOf(request, "mcp-protocol-version");
    if (frame.is === "result" || frame.is === "error") {
      this.#refuse(response, "BAD_BODY", [400, -32600, "asks nothing of hosts of this revision", idOf(frame)]);
      return;
    }
    const refusal = headersRefusal(frame, version, (name) => headerOf(request, name));
    if (refusal !== undefined) {
      this.#refuse(response, "BAD_HEADERS", [statusOf(refusal.code, 400), refusal.code, refusal.message, idOf(frame)]);
      return;
    }
    const connection = await this.#connected(this.#statelessly(), response, frame);
    if (connection === undefined) return;
    const { guard } = connection.side;
    const seat = new HostSeat();
    if (frame.is === "notification") {
      guard.hear(frame, seat);
      response.writeHead(202).end();
      return;
    }
    if (this.#open.size >= this.#options.limits.waiting) {
      this.#refuse(response, "TOO_MANY", [
        429,
        -32000,
        "has too many requests of this principal to answer",
        frame.id.text,
      ]);
      return;
    }
    this.#open.add(seat);
    const listens = frame.method === "subscriptions/listen";
    if (listens) this.#options.streams(1);
    const hungUp = () => {
      // To hang up is to cancel (2026-07-28).
      const key = guard.takeBack(frame.id, seat);
      seat.streams.clear();
      if (key !== undefined) connection.side.hungUp(key);
    };
    const stream = new HostStream(response, hungUp, this.#options.watch(watched(frame, request)));
    response.on("close", () => {
      this.#open.delete(seat);
      if (listens) this.#options.streams(-1);
    });
    if (listens) endWith(stream, ends);
    seat.streams.set(frame.id.key, stream);
    guard.hear(frame, seat, paramsBeside(frame, request));
  }

  /** The one connection of the newer era. Where there is none, the next request tries again. */
  #statelessly(): Promise<HostConnection | Unconnected> {
    if (this.#stateless !== undefined) return this.#stateless;
    const connecting = this.#options.connect("stateless");
    this.#stateless = connecting;
    const forget = () => {
      if (this.#stateless === connecting) this.#stateless = undefined;
    };
    connecting.then((connected) => {
      if ("reason" in connected) forget();
    }, forget);
    return connecting;
  }

  #get(request: IncomingMessage, response: ServerResponse, { ends }: LetIn): void {
    const named = headerOf(request, "mcp-session-id");
    if (named === undefined && isStateless(headerOf(request, "mcp-protocol-version"))) {
      response.setHeader("allow", "POST");
      this.#refuse(response, "BAD_METHOD", [405, -32000, "has no stream of its own in this revision"]);
      return;
    }
    if (!accepts(request.headers.accept ?? "", "text/event-stream")) {
      this.#refuse(response, "BAD_CONTENT_TYPE", [406, -32000, "answers with text/event-stream: accept it"]);
      return;
    }
    const known = this.#sessionOf(named, response);
    if (known === undefined) return;
    const { session, connection } = known;
    session.heard = performance.now();
    const last = headerOf(request, "last-event-id");
    const after = last === undefined ? undefined : serverEventId(last);
    if (last === undefined && session.isStreaming) {
      this.#refuse(response, "TOO_MANY", [409, -32000, "has a stream for this session already"]);
      return;
    }
    const { listen } = connection.side;
    let hungUp: () => void = () => undefined;
    const stream = new HostStream(response, () => hungUp());
    endWith(stream, ends);
    this.#options.streams(1);
    response.on("close", () => this.#options.streams(-1));
    // What a process has said is not kept, and an event that was never given is none.
    if (listen === undefined || (last !== undefined && after === undefined)) {
      session.listen(stream);
      return;
    }
    const exchange = listen(after);
    connection.listen(stream, exchange);
    hungUp = () => connection.stop(exchange);
    if (after === undefined) session.listen(stream);
    else stream.beginEvents();
  }

  #delete(request: IncomingMessage, response: ServerResponse): void {
    const named = headerOf(request, "mcp-session-id");
    if (named === undefined && isStateless(headerOf(request, "mcp-protocol-version"))) {
      response.setHeader("allow", "POST");
      this.#refuse(response, "BAD_METHOD", [405, -32000, "has no sessions in this revision"]);
      return;
    }
    const known = this.#sessionOf(named, response);
    if (known === undefined) return;
    this.#end(known.session.id, "host");
    response.writeHead(200).end();
  }

  #end(id: string, by: SessionEnd): void {
    const known = this.#sessions.get(id);
    if (known === undefined) return;
    this.#sessions.delete(id);
    known.connection.sessions.delete(known.session);
    known.session.close();
    this.#options.closed(by);
    this.#options.release(known.connection);
  }

  #refuse(response: ServerResponse, code: TurnedAway, refusal: HttpRefusal): void {
    this.#options.turnedAway(code);
    refuse(response, refusal);
  }

  #tick(): void {
    const now = performance.now();
    for (const [id, { session, connection }] of this.#sessions) {
      session.tick(now);
      // Its `initialize` was answered by an error, or nobody has used it for long.
      const failed = session.handshake === undefined && !connection.sessions.has(session);
      const idle = session.isIdle && now - session.heard > this.#options.limits.idle;
      if (failed || idle) this.#end(id, idle ? "idle" : "server");
    }
    for (const seat of this.#open) {
      for (const stream of seat.streams.values()) {
        if (stream.isStreaming) stream.comment();
        else if (now - stream.since > 10_000) stream.beginEvents();
      }
    }
  }
}

function accepts(accept: string, type: string): boolean {
  const family = `${type.split("/")[0]}/*`;
  return accept.split(",").some((one) => {
    const named = one.split(";")[0]?.trim().toLowerCase();
    return named === type || named === family || named === "*/*";
  });
}

function idOf(frame: Frame): string | undefined {
  return frame.is === "notification" ? undefined : frame.id.text;
}

/** What waits for news waits no longer. */
function endWith(stream: HostStream, ends: AbortSignal): void {
  if (ends.aborted) stream.end();
  else ends.addEventListener("abort", () => stream.end(), { once: true });
}

type HttpRefusal = readonly [
  status: number,
  code: number,
  message: string,
  /** As the host has spelled it. */
  id?: string | undefined,
  /** JSON text. */
  data?: string | undefined,
];

function refuse(response: ServerResponse, [status, code, message, id = "null", data]: HttpRefusal): void {
  const body = Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${errorText(code, message, data)}}`);
  response.writeHead(status, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}

/** What is counted of a request, with what its host said beside it. */
function watched(frame: Request, request: IncomingMessage, session?: HostSession): WatchedRequest {
  const protocol = headerOf(request, "mcp-protocol-version");
  const meta = memberOf(frame.params, "_meta");
  const traced = (name: "traceparent" | "tracestate") => {
    const said = memberOf(meta, name);
    return said?.is === "string" ? said.value : headerOf(request, name);
  };
  const [traceparent, tracestate] = [traced("traceparent"), traced("tracestate")];
  return {
    ...{ method: frame.method, id: frame.id.key },
    ...(protocol === undefined ? {} : { protocol }),
    ...(session === undefined ? {} : { session: session.id }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
  };
}
