import type { ServerResponse } from "node:http";
import type { RequestEnd, RequestWatch } from "./request-watch.ts";

/** One event of a stream, beside what it says. */
export interface Beat {
  readonly id?: string;
  /** Milliseconds until the host may connect again. */
  readonly retry?: number;
}

/**
 * What goes out as the answer to one HTTP request of a host: one JSON message where nothing comes before it, a stream of
 * events otherwise.
 */
export class HostStream {
  /** When it was opened, by `performance.now()`. */
  readonly since = performance.now();
  readonly #response: ServerResponse;
  #state: "waiting" | "events" | "over" = "waiting";
  #status = 200;

  /** Who keeps count of the request that this answers. */
  readonly watch: RequestWatch | undefined;
  #ended = false;

  /**
   * @param gone the host hung up before it was over
   */
  constructor(response: ServerResponse, gone: () => void, watch?: RequestWatch) {
    this.#response = response;
    this.watch = watch;
    response.on("close", () => {
      const over = this.#state === "over" && response.writableFinished;
      this.#state = "over";
      if (!over) {
        this.ended({ is: "cancelled" });
        gone();
      }
    });
  }

  /** The request is over, in whatever way was said first. */
  ended(how: RequestEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.watch?.ended(how);
  }

  /** Whether anything can still be said on it. */
  get isOpen(): boolean {
    return this.#state !== "over" && !this.#response.destroyed;
  }

  get isStreaming(): boolean {
    return this.#state === "events";
  }

  /** How the server has answered, for the answer that is no stream. */
  set status(status: number) {
    this.#status = status;
  }

  /** @param value undefined takes it away again */
  header(name: string, value: string | undefined): void {
    if (this.#response.headersSent) return;
    if (value === undefined) this.#response.removeHeader(name);
    else this.#response.setHeader(name, value);
  }

  /** From now on it is a stream of events, unless it is over. */
  beginEvents(): boolean {
    if (this.#state === "events") return true;
    if (this.#state === "over") return false;
    this.#state = "events";
    this.#response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    this.#response.flushHeaders();
    return true;
  }

  /** An event that says nothing: it only names a place in the stream, or a time. */
  beat({ id, retry }: Beat): void {
    if (!this.beginEvents()) return;
    // A time alone is no event: it stands before the next one, so that the first event still names a place.
    if (retry !== undefined) this.#write(`retry: ${retry}\n`);
    if (id !== undefined) this.#write(`id: ${id}\ndata: \n\n`);
  }

  /** Something that keeps the connection from being taken for dead. */
  comment(): void {
    if (this.#state === "events") this.#write(": \n\n");
  }

  /** A message that is no answer. False where it cannot be said here. */
  tell(message: string | Uint8Array, id?: string): boolean {
    if (!this.isOpen || !this.beginEvents()) return false;
    this.#event(message, id);
    return true;
  }

  /** The answer, and the end. */
  answer(message: string | Uint8Array, { id, status }: { readonly id?: string; readonly status?: number }): void {
    if (this.#state === "events") {
      this.#event(message, id);
      this.end();
      return;
    }
    if (!this.isOpen) return;
    this.#state = "over";
    // A short text goes out together with the head.
    const body = typeof message === "string" && message.length > mostTogether ? Buffer.from(message) : message;
    this.#response.writeHead(status ?? this.#status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    });
    this.#response.end(body);
  }

  /**
   * The answer while it comes. Nothing else can be said from now on. Whoever writes ends it with `end()`, or with `cut()`
   * where what came was not to be passed on: then no host can take it for whole.
   */
  asItComes(id?: string): { readonly write: (bytes: Uint8Array) => boolean; readonly end: () => void } {
    const events = this.#state === "events";
    this.#state = "over";
    const response = this.#response;
    if (events) response.write(`${id === undefined ? "" : `id: ${id}\n`}event: message\ndata: `);
    else response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    return {
      write: (bytes) => response.write(bytes),
      end: () => void response.end(events ? "\n\n" : undefined),
    };
  }

  onDrain(drained: () => void): void {
    this.#response.on("drain", drained);
  }

  /** Breaks the connection off. */
  cut(): void {
    this.#state = "over";
    this.#response.destroy();
  }

  /** The end, without an answer where none was said. */
  end(): void {
    if (this.#state === "waiting" && !this.#response.headersSent) this.#response.writeHead(202);
    this.#state = "over";
    this.#response.end();
  }

  #event(message: string | Uint8Array, id: string | undefined): void {
    const head = `${id === undefined ? "" : `id: ${id}\n`}event: message\ndata: `;
    if (typeof message === "string") this.#write(`${head}${message}\n\n`);
    else this.#write(Buffer.concat([Buffer.from(head), message, lineEnds]));
  }

  #write(text: string | Uint8Array): void {
    // A host that does not read must cost no memory: it can come again, and is told what is true then.
    if (this.#response.writableLength > mostUnread) this.cut();
    else this.#response.write(text);
  }
}

const lineEnds = Buffer.from("\n\n");

/** Code units. */
const mostTogether = 16 * 1024;

/** Bytes that are held for a host which does not read them. */
const mostUnread = 4 * 1024 * 1024;
