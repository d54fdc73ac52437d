import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { memberOf } from "@countersign/core";
import { type Frame, readFrame } from "../frame.ts";
import { cancelledIn } from "../listens.ts";
import { contentOf, discard } from "./answer-head.ts";
import { bodyHeaders, versionIn } from "./body-headers.ts";
import { call } from "./call.ts";
import { isHeaderName, isHeaderValue } from "./header-value.ts";
import { OpenExchange, type Outgoing } from "./open-exchange.ts";
import { type AnswerOptions, readMessage, readStream } from "./read-answer.ts";
import {
  defaultRemoteLimits,
  type Exchange,
  type ExchangeEnd,
  type LostCode,
  type RemoteLimits,
  type RemoteListener,
  type RemoteOptions,
} from "./remote-options.ts";

/**
 * One connection with a server at a URL, of one principal. Which era it is of is said by each message: one of the newer names
 * its version, and has neither session nor stream but that of its own answer.
 */
export class RemoteLink {
  readonly #options: RemoteOptions;
  readonly #limits: RemoteLimits;
  readonly #open = new Set<OpenExchange>();
  /** Requests, by the key of their ids. */
  readonly #requests = new Map<string, OpenExchange>();
  #mode: "undecided" | "http" | "sse";
  #session: string | undefined;
  /** What the handshake of the older era agreed on. */
  #version: string | undefined;
  /** That handshake, to have it once more. */
  #handshake: { readonly initialize: Frame & { is: "request" }; initialized?: string } | undefined;
  #reopening: Promise<boolean> | undefined;
  /** Nothing is sent before this: a server may not yet have heard that its handshake is over. */
  #before: Promise<void> | undefined;
  /** The one stream of HTTP with SSE, and where messages are posted then. */
  #standing: OpenExchange | undefined;
  #endpoint: URL | undefined;
  /** The stream of the session, where the link keeps it open. */
  #kept: Exchange | undefined;
  #paused = false;
  #closed = false;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#limits = { ...defaultRemoteLimits, ...options.limits };
    this.#mode = options.transport === undefined || options.transport === "auto" ? "undecided" : options.transport;
  }

  /** Whether there is a session (2025 era) that `close` will end. */
  get session(): boolean {
    return this.#session !== undefined;
  }

  /**
   * POSTs one message of ours, as the guard's `toServer` gives it.
   *
   * @param more headers beside those of the options, for this message only; and what it was read as, where it was read
   */
  send(text: string, more: More = {}): Exchange {
    const outgoing = outgoingOf(text, this.#options.headerParams, more.headers, more.frame);
    const { frame } = outgoing;
    const exchange = this.#begin(outgoing, this.#options.heard);
    if (frame.is === "request" && frame.method === "initialize") this.#handshake = { initialize: frame };
    if (frame.is === "notification" && frame.method === "notifications/cancelled" && this.#tookBack(frame))
      queueMicrotask(() => exchange.end({ is: "done" }));
    else this.#sendInTurn(exchange);
    return exchange;
  }

  /** GETs the stream of the session (2025 era), or what followed an event on one of its streams. */
  listen(lastEventId?: string): Exchange {
    const exchange = this.#begin(undefined, this.#options.heard);
    exchange.lastEventId = lastEventId;
    if (this.#mode === "sse") queueMicrotask(() => this.#takeOver(exchange, { is: "done" }));
    else this.#get(exchange);
    return exchange;
  }

  /** Nobody wants more of this. In the newer era that cancels a request; in the older it cancels nothing. */
  stop(exchange: Exchange): void {
    if (!(exchange instanceof OpenExchange)) return;
    // The one stream of HTTP with SSE is the connection; it goes on without anybody who listens.
    if (exchange === this.#standing) this.#takeOver(this.#begin(undefined, silent), { is: "stopped" });
    else exchange.end({ is: "stopped" });
  }

  /** Reads nothing more of an exchange, or of any, until it is resumed. */
  pause(exchange?: Exchange): void {
    if (exchange instanceof OpenExchange) exchange.pause("one");
    if (exchange !== undefined) return;
    this.#paused = true;
    for (const one of this.#open) one.pause("all");
  }

  resume(exchange?: Exchange): void {
    if (exchange instanceof OpenExchange) exchange.resume("one");
    if (exchange !== undefined) return;
    this.#paused = false;
    for (const one of this.#open) one.resume("all");
  }

  /** Stops all, and ends the session where there is one. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const exchange of this.#open) exchange.end({ is: "stopped" });
    if (this.#session === undefined) return;
    const headers = await this.#headers("application/json, text/event-stream").catch(() => undefined);
    if (headers === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const halt = call({
      ...{ method: "DELETE", url: this.#options.url, headers, repeatable: true, limits: this.#limits },
      // A server may not let a session be ended (405), and nothing depends on it.
      answered: (response) => {
        discard(response);
        resolve();
      },
      failed: () => resolve(),
    });
    const late = setTimeout(resolve, partingTime);
    await promise;
    clearTimeout(late);
    halt();
  }

  #begin(outgoing: Outgoing | undefined, heard: RemoteListener): OpenExchange {
    const exchange = new OpenExchange(outgoing, heard, (over) => {
      this.#open.delete(over);
      if (over.id !== undefined && this.#requests.get(over.id) === over) this.#requests.delete(over.id);
    });
    if (this.#closed) queueMicrotask(() => exchange.end({ is: "stopped" }));
    else if (this.#open.size >= this.#limits.open)
      queueMicrotask(() => exchange.end({ is: "lost", code: "TOO_MANY_EXCHANGES" }));
    else {
      this.#open.add(exchange);
      if (exchange.id !== undefined) this.#requests.set(exchange.id, exchange);
      if (this.#paused) exchange.pause("all");
    }
    return exchange;
  }

  /** A request of the newer era is taken back by ending its exchange, which says all there is to say. */
  #tookBack(frame: Extract<Frame, { is: "notification" }>): boolean {
    const request = this.#requests.get(cancelledIn(frame));
    if (request !== undefined && request.outgoing?.version === undefined) return false;
    request?.end({ is: "stopped" });
    return request !== undefined || this.#handshake === undefined;
  }

  #sendInTurn(exchange: OpenExchange): void {
    const { outgoing } = exchange;
    const before = this.#before;
    const post = () => {
      if (!exchange.ended && this.#open.has(exchange)) this.#post(exchange);
    };
    if (outgoing?.frame.is === "notification" && outgoing.frame.method === "notifications/initialized") {
      if (this.#handshake !== undefined) this.#handshake.initialized = outgoing.frame.text;
      const { promise, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(resolve, orderTime);
      exchange.afterwards = () => {
        clearTimeout(late);
        this.#before = undefined;
        resolve();
        this.#keepListening();
      };
      this.#before = promise;
    }
    if (before === undefined) post();
    else void before.then(post);
  }

  #keepListening(): void {
    if (this.#options.resumes && this.#mode === "http" && this.#version !== undefined && !this.#closed)
      this.#kept ??= this.listen();
  }

  /** Of our headers, none can be set by anybody else. */
  async #headers(accept: string, exchange?: OpenExchange): Promise<Record<string, string>> {
    const outgoing = exchange?.outgoing;
    const frame = outgoing?.frame;
    const headers: Record<string, string> = Object.create(null);
    for (const [name, value] of [...(await this.#options.headers()), ...(outgoing?.headers ?? [])]) {
      if (!isHeaderName(name) || !isHeaderValue(value)) throw new Error("Cannot send a header that is none");
      if (!ours.test(name)) headers[name.toLowerCase()] = value;
    }
    headers["accept"] = accept;
    if (outgoing !== undefined) headers["content-type"] = "application/json";
    if (outgoing?.version !== undefined) {
      for (const [name, value] of outgoing.repeated) headers[name] = value;
      return headers;
    }
    if (frame?.is === "request" && frame.method === "initialize") return headers;
    if (this.#session !== undefined) headers["mcp-session-id"] = this.#session;
    if (this.#version !== undefined) headers["mcp-protocol-version"] = this.#version;
    if (exchange?.lastEventId !== undefined && accept === stream) {
      if (!isHeaderValue(exchange.lastEventId)) throw new Error("Cannot send an id that no header can hold");
      headers["last-event-id"] = exchange.lastEventId;
    }
    return headers;
  }

  #post(exchange: OpenExchange): void {
    const { outgoing } = exchange;
    if (outgoing === undefined) return;
    const isHandshake = exchange.method === "initialize";
    if (this.#mode === "sse" && this.#endpoint === undefined) {
      if (isHandshake) this.#openStanding(exchange, (how) => exchange.end(how));
      else this.#sessionGone(exchange, undefined);
      return;
    }
    const session = isHandshake ? undefined : this.#session;
    void this.#call(exchange, {
      ...{ method: "POST", url: this.#endpoint ?? this.#options.url, body: outgoing.body },
      repeatable: exchange.method !== undefined && readsOnly.test(exchange.method),
      accept: "application/json, text/event-stream",
      answered: (response) => this.#answered(exchange, response, session),
      failed: (code) => exchange.end({ is: "lost", code }),
    });
  }

  async #call(
    exchange: OpenExchange,
    { accept, ...how }: Omit<Parameters<typeof call>[0], "headers" | "limits"> & { readonly accept: string },
  ): Promise<void> {
    let headers: Record<string, string>;
    try {
      headers = await this.#headers(accept, exchange);
    } catch {
      exchange.end({ is: "lost", code: "NO_HEADERS" });
      return;
    }
    if (exchange.ended) return;
    exchange.halt = call({ ...how, headers, limits: this.#limits });
  }

  #answered(exchange: OpenExchange, response: IncomingMessage, session: string | undefined): void {
    const { statusCode: status = 0 } = response;
    if (this.#challenged(exchange, response, () => this.#post(exchange))) return;
    const isHandshake = exchange.method === "initialize";
    if (status === 404 && session !== undefined) {
      discard(response);
      this.#sessionGone(exchange, session);
      return;
    }
    if (status >= 400) {
      const isOld = isHandshake && this.#mode === "undecided" && [400, 404, 405].includes(status);
      this.#refused(exchange, response, isOld);
      return;
    }
    if (this.#mode === "undecided") this.#mode = "http";
    if (isHandshake && this.#mode === "http" && !this.#tookSession(exchange, response)) return;
    if (this.#mode === "sse" && exchange.of === "request") {
      // Its answer is still to come, on the one stream.
      discard(response);
      const late = setTimeout(() => exchange.end({ is: "lost", code: "TIMED_OUT" }), this.#limits.idle);
      exchange.halt = () => clearTimeout(late);
      return;
    }
    const content = contentOf(response);
    if (content === "empty") {
      discard(response);
      exchange.begin({ status, as: "empty" });
      exchange.end({ is: "done" });
      return;
    }
    if (content === "other") {
      discard(response);
      if (exchange.of === "request") exchange.end({ is: "lost", code: "BAD_CONTENT_TYPE" });
      else {
        exchange.begin({ status, as: "empty" });
        exchange.end({ is: "done" });
      }
      return;
    }
    exchange.begin({ status, as: content });
    if (content === "sse") this.#readStream(exchange, response);
    else this.#readMessage(exchange, response);
  }

  /** Whether somebody was asked for a credential. */
  #challenged(exchange: OpenExchange, response: IncomingMessage, again: () => void): boolean {
    const { statusCode: status = 0, headers } = response;
    const wwwAuthenticate = headers["www-authenticate"];
    const wantsScope = status === 403 && /\berror\s*=\s*"?insufficient_scope\b/i.test(wwwAuthenticate ?? "");
    if (status !== 401 && !wantsScope) return false;
    discard(response);
    exchange.halt = undefined;
    const refuse = () => {
      exchange.begin({ status, as: "empty" });
      exchange.end({ is: "needs-sign-in" });
    };
    if (exchange.challenged++ >= mostChallenges) {
      refuse();
      return true;
    }
    // Whoever is asked says what went wrong; here it only counts that there is no other credential.
    this.#options.unauthorized({ status: status === 401 ? 401 : 403, wwwAuthenticate }).then((retry) => {
      if (exchange.ended) return;
      if (retry) again();
      else refuse();
    }, refuse);
    return true;
  }

  /** @param isOld whether a server that knows only HTTP with SSE would refuse like that */
  #refused(exchange: OpenExchange, response: IncomingMessage, isOld: boolean): void {
    const { statusCode: status = 0 } = response;
    const tell = (bytes: Buffer | undefined) => {
      const reading = bytes === undefined ? undefined : readFrame(bytes);
      const isAnswer = reading?.is === "frame" && (reading.frame.is === "error" || reading.frame.is === "result");
      exchange.begin({ status, as: isAnswer ? "json" : "empty" });
      if (isAnswer && bytes !== undefined) exchange.message(bytes);
      exchange.end(isAnswer ? { is: "done" } : { is: "refused", status });
    };
    const then = (bytes: Buffer | undefined) => {
      if (isOld) this.#openStanding(exchange, () => tell(bytes));
      else tell(bytes);
    };
    if (contentOf(response) !== "json") {
      discard(response);
      then(undefined);
      return;
    }
    let message: Buffer | undefined;
    const body = readMessage(response, {
      limits: { ...this.#limits, held: mostOfARefusal, message: mostOfARefusal },
      silence: this.#limits.body,
      message: (bytes) => {
        message = bytes;
      },
      ...{ beat: nothing, large: nothing, tooLong: nothing },
      over: () => then(message),
    });
    exchange.read(body);
  }

  /** The session begins with the answer to `initialize`, and with nothing else. */
  #tookSession(exchange: OpenExchange, { headers }: IncomingMessage): boolean {
    const session = headers["mcp-session-id"];
    if (session !== undefined && (typeof session !== "string" || !sessionId.test(session))) {
      exchange.end({ is: "lost", code: "BAD_SESSION_ID" });
      return false;
    }
    this.#session = session;
    this.#version = undefined;
    this.#kept = undefined;
    return true;
  }

  #readMessage(exchange: OpenExchange, response: IncomingMessage): void {
    const options = this.#answerOptions(exchange, this.#limits.body, (how) => {
      exchange.end(how === "complete" ? { is: "done" } : { is: "lost", code: how });
    });
    exchange.read(readMessage(response, options));
  }

  #readStream(exchange: OpenExchange, response: IncomingMessage): void {
    const silence =
      exchange.of === "request" && exchange.method !== "subscriptions/listen" ? this.#limits.idle : undefined;
    const options = this.#answerOptions(exchange, silence, (how) => {
      if (this.#mayResume(exchange)) this.#resumeLater(exchange);
      else exchange.end(how === "complete" ? { is: "done" } : { is: "lost", code: how });
    });
    exchange.read(readStream(response, options));
  }

  #answerOptions(exchange: OpenExchange, silence: number | undefined, over: AnswerOptions["over"]): AnswerOptions {
    const { resumes } = this.#options;
    return {
      ...{ limits: this.#limits, silence, over },
      message: (bytes, event) => {
        if (exchange.method === "initialize") this.#learnVersion(bytes);
        if (resumes && !exchange.answered) exchange.answered = answeredIn(bytes) === exchange.id;
        exchange.message(bytes, event);
      },
      beat: (event) => exchange.beat(event),
      large: () => {
        if (exchange.of !== "request" || exchange.method === "initialize") return undefined;
        const answer = exchange.large();
        // Only its beginning could come again.
        if (answer !== undefined) exchange.answered = true;
        return answer;
      },
      tooLong: (ends) => exchange.tooLong(ends),
      alive: () => {
        exchange.resumed = 0;
      },
    };
  }

  /** Before anybody else hears of it: what is sent next has to name it. */
  #learnVersion(bytes: Buffer): void {
    const reading = readFrame(bytes);
    if (reading.is === "refused" || reading.frame.is !== "result") return;
    const version = memberOf(reading.frame.page.result, "protocolVersion");
    if (version?.is === "string" && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(version.value)) this.#version = version.value;
  }

  #get(exchange: OpenExchange): void {
    const session = this.#session;
    void this.#call(exchange, {
      ...{ method: "GET", url: this.#options.url, repeatable: true, accept: stream },
      answered: (response) => {
        const { statusCode: status = 0 } = response;
        if (this.#challenged(exchange, response, () => this.#get(exchange))) return;
        if (status < 300 && contentOf(response) === "sse") {
          exchange.begin({ status, as: "sse" });
          this.#readStream(exchange, response);
          return;
        }
        discard(response);
        exchange.begin({ status, as: "empty" });
        if (status === 404 && session !== undefined) exchange.end({ is: "session-gone" });
        else if (status >= 500 && this.#mayResume(exchange)) this.#resumeLater(exchange);
        else if (status < 300 && status !== 204) exchange.end({ is: "lost", code: "BAD_CONTENT_TYPE" });
        else exchange.end({ is: "refused", status });
      },
      failed: (code) => {
        if (this.#mayResume(exchange)) this.#resumeLater(exchange);
        else exchange.end({ is: "lost", code });
      },
    });
  }

  #mayResume(exchange: OpenExchange): boolean {
    if (!this.#options.resumes || this.#closed || this.#mode === "sse") return false;
    if (exchange.of === "stream") return true;
    const { lastEventId, answered, resumed } = exchange;
    return lastEventId !== undefined && !answered && resumed < mostResumptions;
  }

  #resumeLater(exchange: OpenExchange): void {
    const wait = exchange.retry ?? Math.min(1_000 * 2 ** exchange.resumed, longestWait);
    exchange.resumed++;
    const timer = setTimeout(() => this.#get(exchange), Math.min(Math.max(wait, shortestWait), longestWait));
    exchange.halt = () => clearTimeout(timer);
  }

  #sessionGone(exchange: OpenExchange, session: string | undefined): void {
    if (this.#session === session) this.#session = undefined;
    exchange.halt = undefined;
    if (!this.#options.resumes || exchange.reopened || this.#handshake === undefined) {
      exchange.begin({ status: 404, as: "empty" });
      exchange.end({ is: "session-gone" });
      return;
    }
    exchange.reopened = true;
    void this.#reopened().then((yes) => {
      if (yes && !exchange.ended) this.#post(exchange);
      else exchange.end({ is: "session-gone" });
    });
  }

  /** Opens the one stream of HTTP with SSE, and has the handshake posted where that says. */
  #openStanding(handshake: OpenExchange, otherwise: (how: ExchangeEnd) => void): void {
    const standing = this.#begin(undefined, this.#options.heard);
    handshake.halt = () => {
      clearTimeout(late);
      standing.drop();
    };
    const give = (how: ExchangeEnd) => {
      clearTimeout(late);
      handshake.halt = undefined;
      standing.drop();
      if (!handshake.ended) otherwise(how);
    };
    const late = setTimeout(give, this.#limits.connect, { is: "lost", code: "BAD_ENDPOINT" } satisfies ExchangeEnd);
    void this.#call(standing, {
      ...{ method: "GET", url: this.#options.url, repeatable: true, accept: stream },
      failed: (code) => give({ is: "lost", code }),
      answered: (response) => {
        const { statusCode: status = 0 } = response;
        const again = () => {
          standing.drop();
          this.#openStanding(handshake, otherwise);
        };
        if (this.#challenged(handshake, response, again)) {
          clearTimeout(late);
          return;
        }
        if (status >= 300 || contentOf(response) !== "sse") {
          discard(response);
          give(status >= 300 ? { is: "refused", status } : { is: "lost", code: "BAD_CONTENT_TYPE" });
          return;
        }
        const body = readStream(response, {
          ...{ limits: this.#limits, silence: undefined, large: nothing },
          other: (event, data) => {
            if (event !== "endpoint" || this.#standing !== undefined) return;
            const endpoint = endpointIn(data, this.#options.url);
            if (endpoint === undefined) {
              handshake.end({ is: "lost", code: "BAD_ENDPOINT" });
              return;
            }
            clearTimeout(late);
            this.#mode = "sse";
            this.#endpoint = endpoint;
            this.#standing = standing;
            handshake.halt = undefined;
            standing.begin({ status, as: "sse" });
            this.#post(handshake);
          },
          message: (bytes) => this.#dispatch(bytes),
          beat: (event) => this.#standing?.beat(event),
          tooLong: (ends) => this.#standing?.tooLong(ends),
          over: (how) => {
            if (this.#endpoint === undefined) give({ is: "lost", code: "BAD_ENDPOINT" });
            else this.#standingOver(how);
          },
        });
        standing.read(body);
      },
    });
  }

  /** An answer is told of its request's exchange, wherever it comes. */
  #dispatch(bytes: Buffer): void {
    const id = answeredIn(bytes);
    const exchange = id === undefined ? undefined : this.#requests.get(id);
    if (exchange === undefined) {
      this.#standing?.message(bytes);
      return;
    }
    if (exchange.method === "initialize") this.#learnVersion(bytes);
    exchange.begin({ status: 200, as: "json" });
    exchange.message(bytes);
    exchange.end({ is: "done" });
  }

  #takeOver(exchange: OpenExchange, how: ExchangeEnd): void {
    const standing = this.#standing;
    if (standing === undefined) {
      exchange.end({ is: "session-gone" });
      return;
    }
    standing.passTo(exchange);
    this.#standing = exchange;
    exchange.begin({ status: 200, as: "sse" });
    standing.end(how);
  }

  #standingOver(how: "complete" | LostCode): void {
    const standing = this.#standing;
    this.#standing = undefined;
    this.#endpoint = undefined;
    const lost = { is: "lost", code: how === "complete" ? "BROKE_OFF" : how } as const;
    for (const request of this.#requests.values()) request.end(lost);
    standing?.end(how === "complete" ? { is: "done" } : lost);
  }

  /** Has the handshake once more. What the server says of itself this time is nobody's to read. */
  #reopened(): Promise<boolean> {
    if (this.#session !== undefined || this.#endpoint !== undefined) return Promise.resolve(true);
    this.#reopening ??= this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  async #reopen(): Promise<boolean> {
    const { initialize, initialized } = this.#handshake ?? {};
    if (initialize?.params === undefined) return false;
    if (this.#kept !== undefined) this.stop(this.#kept);
    this.#kept = undefined;
    const params = initialize.text.slice(initialize.params.start, initialize.params.end);
    const id = `"countersign-${randomBytes(16).toString("hex")}"`;
    if (!(await this.#sendAside(`{"jsonrpc":"2.0","id":${id},"method":"initialize","params":${params}}`))) return false;
    if (initialized !== undefined && !(await this.#sendAside(initialized))) return false;
    this.#keepListening();
    this.#options.heard.reopened?.();
    return true;
  }

  /** Sends what nobody hears the answer to. Whether there was none of JSON-RPC, or it was a result. */
  #sendAside(text: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let isError = false;
    const exchange = this.#begin(outgoingOf(text), {
      ...silent,
      message: (bytes) => {
        const reading = readFrame(bytes);
        if (reading.is === "refused" || reading.frame.is === "error") isError = true;
      },
      ends: (_exchange, how) => resolve(how.is === "done" && !isError),
    });
    this.#post(exchange);
    return promise;
  }
}

interface More {
  readonly headers?: ReadonlyMap<string, string>;
  /** Offsets in its params may be those of another text. */
  readonly frame?: Frame | undefined;
}

/** What it repeats is read of it now: which tool is called is known to whoever sends it, and only while he does. */
function outgoingOf(
  text: string,
  headerParams: RemoteOptions["headerParams"] = () => [],
  headers: ReadonlyMap<string, string> = none,
  known?: Frame,
): Outgoing {
  const frame = known ?? frameIn(text);
  const version = versionIn(frame);
  const repeats = version !== undefined && (frame.is === "request" || frame.is === "notification");
  const repeated = repeats ? bodyHeaders(frame, version, headerParams) : none;
  return { frame, body: text, version, headers, repeated };
}

function frameIn(text: string): Frame {
  const reading = readFrame(Buffer.from(text));
  if (reading.is === "refused") throw new Error(`Cannot send what is no message: ${reading.refusal.code}`);
  return reading.frame;
}

const none: ReadonlyMap<string, string> = new Map();

function answeredIn(bytes: Buffer): string | undefined {
  const reading = readFrame(bytes);
  if (reading.is === "refused" || (reading.frame.is !== "result" && reading.frame.is !== "error")) return undefined;
  return reading.frame.id.key;
}

/** The operator's server says where; it may be anywhere on its own origin. */
function endpointIn(data: Buffer, base: URL): URL | undefined {
  const url = URL.parse(data.toString("utf8"), base.href);
  if (url === null || url.origin !== base.origin || url.username !== "" || url.password !== "") return undefined;
  return url;
}

const nothing = () => undefined;
const silent: RemoteListener = {
  ...{ begins: nothing, message: nothing, beat: nothing, large: nothing, tooLong: nothing, ends: nothing },
};

const stream = "text/event-stream";

/** What we say ourselves, and what HTTP is framed by. */
const ours =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept(?:-encoding)?|last-event-id|mcp-(?:session-id|protocol-version|method|name|param-.*))$/i;

/** Methods that change nothing, or nothing that is not changed by once. */
const readsOnly =
  /^(?:ping|initialize|server\/discover|logging\/setLevel|completion\/complete|[a-z]+(?:\/templates)?\/(?:list|get|read))$/;

/** The specification: visible ASCII. Servers that put a signed token there need some room. */
const sessionId = /^[!-~]{1,8192}$/;

const mostChallenges = 2;
const mostResumptions = 6;
const mostOfARefusal = 256 * 1024;
/** Milliseconds. */
const shortestWait = 100;
const longestWait = 30_000;
const orderTime = 5_000;
const partingTime = 2_000;
