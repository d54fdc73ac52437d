import type { Frame } from "../frame.ts";
import { isHeaderValue } from "./header-value.ts";
import type { PacedBody } from "./paced-body.ts";
import type { Exchange, ExchangeEnd, Head, LargeAnswer, RemoteListener } from "./remote-options.ts";

/** One message of ours, as it is sent. */
export interface Outgoing {
  readonly frame: Frame;
  readonly body: string;
  /** The version that the message itself names: the newer era. */
  readonly version: string | undefined;
  readonly headers: ReadonlyMap<string, string>;
  /** What it repeats of itself in headers. */
  readonly repeated: ReadonlyMap<string, string>;
}

/** An exchange while it lasts, and what is told of it. */
export class OpenExchange implements Exchange {
  readonly of: Exchange["of"];
  readonly method?: string;
  readonly id?: string;
  readonly outgoing: Outgoing | undefined;
  /** How often it was sent again because of a challenge. */
  challenged = 0;
  /** The last event's, of whatever stream carried it. */
  lastEventId: string | undefined;
  /** Milliseconds until a stream may be resumed, where the server has said so. */
  retry: number | undefined;
  /** How often it was resumed since anything came. */
  resumed = 0;
  /** Whether the answer to its request has come, so far as that was looked at. */
  answered = false;
  /** Whether its session was opened again for it. */
  reopened = false;
  /** Breaks off what is going on just now. */
  halt: (() => void) | undefined;
  /** Called when it is over, before anybody is told. */
  afterwards: (() => void) | undefined;
  readonly #heard: RemoteListener;
  readonly #over: (exchange: OpenExchange) => void;
  readonly #paused = new Set<unknown>();
  #body: PacedBody | undefined;
  #begun = false;
  #ended = false;

  constructor(outgoing: Outgoing | undefined, heard: RemoteListener, over: (exchange: OpenExchange) => void) {
    this.outgoing = outgoing;
    this.#heard = heard;
    this.#over = over;
    const frame = outgoing?.frame;
    this.of =
      frame === undefined ? "stream" : frame.is === "request" || frame.is === "notification" ? frame.is : "answer";
    if (frame?.is !== "request") return;
    this.method = frame.method;
    this.id = frame.id.key;
  }

  get ended(): boolean {
    return this.#ended;
  }

  begin(head: Head): void {
    if (this.#begun || this.#ended) return;
    this.#begun = true;
    this.#heard.begins(this, head);
  }

  message(bytes: Buffer, event?: { readonly id: string }): void {
    if (this.#ended) return;
    if (event !== undefined) this.#named(event.id);
    this.#heard.message(bytes, this, event);
  }

  beat(event: { readonly id?: string; readonly retry?: number }): void {
    if (this.#ended) return;
    if (event.id !== undefined) this.#named(event.id);
    if (event.retry !== undefined) this.retry = event.retry;
    this.#heard.beat(this, event);
  }

  large(): LargeAnswer | undefined {
    return this.#ended ? undefined : this.#heard.large(this);
  }

  tooLong(ends: Buffer): void {
    if (!this.#ended) this.#heard.tooLong(ends, this);
  }

  end(how: ExchangeEnd): void {
    if (this.#ended) return;
    this.drop();
    this.#heard.ends(this, how);
  }

  /** Ends what nobody was told of. */
  drop(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.halt?.();
    this.#body?.stop();
    this.#over(this);
    this.afterwards?.();
  }

  /** Another exchange is of the same stream from now on. */
  passTo(other: OpenExchange): void {
    const body = this.#body;
    other.halt = this.halt;
    this.halt = undefined;
    this.#body = undefined;
    if (body === undefined) return;
    for (const reason of this.#paused) body.resume(reason);
    other.read(body);
  }

  #named(id: string): void {
    if (isHeaderValue(id)) this.lastEventId = id;
  }

  read(body: PacedBody): void {
    this.#body = body;
    for (const reason of this.#paused) body.pause(reason);
  }

  pause(reason: unknown): void {
    this.#paused.add(reason);
    this.#body?.pause(reason);
  }

  resume(reason: unknown): void {
    this.#paused.delete(reason);
    this.#body?.resume(reason);
  }
}
