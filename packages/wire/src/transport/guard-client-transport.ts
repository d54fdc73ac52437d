import { Guard } from "../guard.ts";
import type { GuardOptions } from "../guard-options.ts";
import type { ClientTransport, GuardedTransport } from "./client-transport.ts";

/** What a guarded connection is made of, once it is to be opened. */
export interface Opened {
  readonly guard: Omit<GuardOptions, "toHost" | "toServer">;
  /** The transport within has started. */
  readonly started: (guard: Guard) => void;
  /** The connection has ended, or never began. */
  readonly close: () => Promise<void>;
}

/**
 * Stands between a client and the transport that it would have used. Messages are values here: the transport has read the
 * server's bytes already, and what two readers could understand differently (a duplicate key) is lost. So each message is
 * written out and read again, and the client is given what was judged, never the value that came.
 *
 * @param open called by `start`, before the server is reached; where it rejects, nothing is started
 */
export function guardClientTransport(inner: ClientTransport, open: () => Promise<Opened>): GuardedTransport {
  return new Between(inner, open);
}

/** A message of the client's, until it is passed on or refused. */
interface Outgoing {
  readonly text: string;
  readonly options: unknown;
  /** The transport within has it. */
  sent?: Promise<void>;
}

/** What of a message decides how it is sent. */
interface Envelope {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: { readonly protocolVersion?: unknown } | null;
}

class Between implements GuardedTransport {
  onclose: () => void = nothing;
  onerror: (error: Error) => void = nothing;
  onmessage: (message: unknown, extra?: unknown) => void = nothing;
  readonly #inner: ClientTransport;
  readonly #open: () => Promise<Opened>;
  readonly #outgoing = new Set<Outgoing>();
  /** Said to the guard alone: the transport within knows already. */
  readonly #unsaid = new Set<string>();
  #state: "new" | "starting" | "open" | "closed" = "new";
  #guard: Guard | undefined;
  #opened: Opened | undefined;
  #closedBy: "host" | "server" = "server";
  #ended = false;
  #released: Promise<void> | undefined;
  /** The id of the handshake, as JSON. */
  #handshake: string | undefined;

  constructor(inner: ClientTransport, open: () => Promise<Opened>) {
    this.#inner = inner;
    this.#open = open;
    // The SDK's second client tells a process by these two, and waits for one otherwise than for a web server. What else
    // it looks for, to start that process again beside us and to believe what it says, it does not find.
    if ("stderr" in inner && "pid" in inner) {
      Object.defineProperty(this, "stderr", { get: () => inner.stderr });
      Object.defineProperty(this, "pid", { get: () => inner.pid });
    }
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async start(): Promise<void> {
    if (this.#state !== "new") throw new Error("Cannot start a guarded transport twice; guard a new one");
    this.#state = "starting";
    try {
      this.#opened = await this.#open();
      this.#refuseClosed();
      this.#guard = new Guard({
        ...this.#opened.guard,
        toHost: (message) => this.#toHost(message),
        toServer: (text) => this.#toServer(text),
      });
      this.#listen();
      await this.#inner.start();
      this.#refuseClosed();
      this.#state = "open";
      this.#opened.started(this.#guard);
    } catch (error) {
      this.#state = "closed";
      await this.#release();
      throw error;
    }
  }

  async send(message: unknown, options?: unknown): Promise<void> {
    const guard = this.#guard;
    if (guard === undefined || this.#isClosed())
      throw new Error("Cannot send on a guarded transport: it is not connected");
    const outgoing: Outgoing = { text: JSON.stringify(message), options };
    const { id, method } = (message ?? {}) as Envelope;
    const isRequest = method !== undefined && id !== undefined;
    if (isRequest && method === "initialize") this.#handshake = JSON.stringify(id);
    // Where every request has a stream of its own, a client takes one back by closing that, and says nothing.
    if (isRequest) signalIn(options)?.addEventListener("abort", () => void this.#takeBack(id), { once: true });
    this.#outgoing.add(outgoing);
    guard.fromHost(Buffer.from(outgoing.text));
    await guard.settled();
    this.#outgoing.delete(outgoing);
    try {
      await outgoing.sent;
    } catch (error) {
      if (isRequest) await this.#takeBack(id);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closedBy = "host";
    this.#state = "closed";
    try {
      await this.#inner.close();
    } finally {
      await this.#end();
    }
  }

  #isClosed(): boolean {
    return this.#state === "closed";
  }

  #refuseClosed(): void {
    if (this.#isClosed()) throw new Error("Cannot start a guarded transport: it was closed meanwhile");
  }

  #listen(): void {
    const { onclose, onerror } = this.#inner;
    this.#inner.onmessage = (message: unknown) => this.#fromServer(message);
    this.#inner.onerror = (error) => {
      onerror?.(error);
      this.onerror(error);
    };
    this.#inner.onclose = () => {
      this.#state = "closed";
      try {
        onclose?.();
      } finally {
        this.#end().catch((error) => this.onerror(asError(error)));
      }
    };
  }

  #fromServer(message: unknown): void {
    const guard = this.#guard;
    if (guard === undefined) return;
    const { id, result } = (message ?? {}) as Envelope;
    const version = result?.protocolVersion;
    // The guard asks for the lists before the client has its handshake, and a web server wants the version with that.
    if (this.#handshake !== undefined && JSON.stringify(id) === this.#handshake && isRevision(version)) {
      this.#handshake = undefined;
      this.setProtocolVersion(version);
    }
    let text: string;
    try {
      text = JSON.stringify(message) ?? "";
    } catch (error) {
      // Too deep, too long, or no JSON at all. Whoever waits for it is told that it was refused.
      this.onerror(asError(error));
      guard.tooLong("server", Buffer.from(JSON.stringify({ id: plainId(id) })));
      return;
    }
    guard.fromServer(Buffer.from(text));
  }

  #toHost(message: string | Uint8Array): void {
    const value: unknown = JSON.parse(typeof message === "string" ? message : Buffer.from(message).toString("utf8"));
    try {
      this.onmessage(value);
    } catch (error) {
      // The client's own fault, and none of the guard's.
      this.onerror(asError(error));
    }
  }

  #toServer(text: string): void {
    if (this.#unsaid.has(text)) return;
    const message: unknown = JSON.parse(text);
    const outgoing = this.#outgoingOf(message);
    const sent = this.#pass(message, outgoing?.options);
    if (outgoing !== undefined) outgoing.sent = sent;
    sent.catch((error) => {
      if (outgoing === undefined) this.#notSent(message, error);
    });
  }

  /** In an async function, so that what throws at once is a rejection as well. */
  async #pass(message: unknown, options: unknown): Promise<void> {
    await this.#inner.send(message as never, options as never);
  }

  /** What the client sent, which may have been respelled meanwhile. The guard's own requests are none of it. */
  #outgoingOf(message: unknown): Outgoing | undefined {
    const text = JSON.stringify(message);
    for (const outgoing of this.#outgoing) if (outgoing.sent === undefined && outgoing.text === text) return outgoing;
    return undefined;
  }

  /** A request of the guard's own: the guard need not wait for its answer. */
  #notSent(message: unknown, error: unknown): void {
    if (!this.#isClosed()) this.onerror(asError(error));
    const { id, method } = message as Envelope;
    if (id === undefined || method === undefined) return;
    const answer = { jsonrpc: "2.0", id, error: { code: -32603, message: "it could not be sent" } };
    this.#guard?.fromServer(Buffer.from(JSON.stringify(answer)));
  }

  /** The guard need not wait for the answer to a request of the client's. */
  async #takeBack(id: unknown): Promise<void> {
    const guard = this.#guard;
    if (guard === undefined || this.#isClosed()) return;
    const method = "notifications/cancelled";
    const text = JSON.stringify({ jsonrpc: "2.0", method, params: { requestId: id } });
    this.#unsaid.add(text);
    guard.fromHost(Buffer.from(text));
    await guard.settled();
    this.#unsaid.delete(text);
  }

  /** Tells the client, once, however it ended. */
  async #end(): Promise<void> {
    const released = this.#release();
    const { onclose } = this;
    if (!this.#ended) {
      this.#ended = true;
      onclose();
    }
    await released;
  }

  #release(): Promise<void> {
    this.#guard?.close(this.#closedBy);
    const opened = this.#opened;
    if (opened !== undefined) this.#released ??= opened.close();
    return this.#released ?? Promise.resolve();
  }
}

const nothing = () => undefined;

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function isRevision(version: unknown): version is string {
  return typeof version === "string" && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(version);
}

function plainId(id: unknown): string | number | null {
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function signalIn(options: unknown): AbortSignal | undefined {
  if (typeof options !== "object" || options === null || !("requestSignal" in options)) return undefined;
  return options.requestSignal instanceof AbortSignal ? options.requestSignal : undefined;
}
