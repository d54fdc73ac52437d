import type { HostStream } from "./host-stream.ts";

type Said = { readonly message: string | Uint8Array; readonly event: string | undefined };

/** Whose requests these are: one session's (2025 era), or one request's alone. The guard's `Seat`. */
export class HostSeat {
  /** What the answer to a request goes out on, by the key of the host's id. */
  readonly streams = new Map<string, HostStream>();
  readonly session: HostSession | undefined;

  constructor(session?: HostSession) {
    this.session = session;
  }
}

/** One session of a host (2025 era): what it is told that belongs to none of its requests, and where. */
export class HostSession {
  readonly id: string;
  readonly seat: HostSeat;
  /** The key of the id of its `initialize`, until that is answered. */
  handshake: string | undefined;
  /** When its host was heard of last, by `performance.now()`. */
  heard = performance.now();
  #stream: HostStream | undefined;
  #waiting: Said[] = [];

  constructor(id: string, handshake: string) {
    this.id = id;
    this.handshake = handshake;
    this.seat = new HostSeat(this);
  }

  get isStreaming(): boolean {
    return this.#stream?.isOpen === true;
  }

  get isIdle(): boolean {
    return !this.isStreaming && ![...this.seat.streams.values()].some(({ isOpen }) => isOpen);
  }

  listensOn(stream: HostStream): boolean {
    return this.#stream === stream;
  }

  /** The host listens here from now on. */
  listen(stream: HostStream): void {
    this.#stream?.end();
    this.#stream = stream;
    stream.beginEvents();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { message, event } of waiting) this.say(message, event);
  }

  /** What belongs to none of its requests. Kept for a while where nobody listens; false where too much is kept already. */
  say(message: string | Uint8Array, event?: string): boolean {
    if (this.#stream?.tell(message, event)) return true;
    if (this.#waiting.length >= mostWaiting) return false;
    this.#waiting.push({ message, event });
    return true;
  }

  /** What the server asks, where it belongs to a request if that is known: to the only one there is, or where the host listens. */
  ask(message: string | Uint8Array): boolean {
    const open = [...this.seat.streams.values()].filter(({ isOpen }) => isOpen);
    if (open.length === 1 && open[0]?.tell(message)) return true;
    if (this.#stream?.tell(message)) return true;
    return open.some((stream) => stream.tell(message)) || this.say(message);
  }

  /** Keeps what is open from being taken for dead, and lets what takes long become a stream. */
  tick(now: number): void {
    this.#stream?.comment();
    for (const stream of this.seat.streams.values()) {
      if (stream.isStreaming) stream.comment();
      else if (now - stream.since > patience) stream.beginEvents();
    }
  }

  close(): void {
    this.#waiting = [];
    this.#stream?.end();
    for (const stream of this.seat.streams.values()) {
      stream.ended({ is: "lost" });
      stream.cut();
    }
    this.seat.streams.clear();
  }
}

const mostWaiting = 100;

/** Milliseconds after which a host that waits for an answer is sent something. */
const patience = 10_000;
