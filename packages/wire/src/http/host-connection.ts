import { errorText } from "../error-text.ts";
import type { Guard } from "../guard.ts";
import type { About, Sent, Via } from "../guard-options.ts";
import { bareNotifications } from "../methods.ts";
import { AnswerRelay, type CutCode, type RelayVerdict } from "./answer-relay.ts";
import { eventIdFor } from "./event-id.ts";
import type { Heard } from "./heard.ts";
import { HostSeat, type HostSession } from "./host-session.ts";
import type { HostStream } from "./host-stream.ts";
import type { Exchange, ExchangeEnd, Head, LargeAnswer } from "./remote-options.ts";
import type { RequestEnd } from "./request-watch.ts";
import { statusOf } from "./status-of.ts";

/** The side of a connection that a server is on. */
export interface ServerSide {
  readonly guard: Guard;
  /** A stream of the server's own, or what came after an event of one. Absent where it has none, as a process. */
  readonly listen?: (lastEventId?: string) => Exchange;
  /** The host has hung up on its request: that is passed on, by the key under which the server knows it. */
  readonly hungUp: (key: string) => void;
  /** The same, of a stream that it asked for. */
  readonly stop?: (exchange: Exchange) => void;
  readonly close: () => Promise<void>;
}

export interface HostConnectionOptions {
  readonly era: Era;
  /** Hosts that are not to hear of one another: nothing goes to them that is not the answer to their own requests. */
  readonly strangers: boolean;
  readonly dropped: () => void;
  /** An answer that was passed on as it came was cut off. */
  readonly cut: (code: CutCode) => void;
}

/** `sessions`: the revisions up to 2025-11-25, opened by `initialize`. `stateless`: since 2026-07-28. */
export type Era = "sessions" | "stateless";

/**
 * One connection with a server, and the hosts that share it: knows where each message goes out. Where the server answers over
 * HTTP, what goes out to a host is as the server does it: a stream for a stream, with its events' names and its end.
 */
export class HostConnection {
  readonly era: Era;
  readonly sessions = new Set<HostSession>();
  readonly #options: HostConnectionOptions;
  readonly #streams = new WeakMap<Exchange, HostStream>();
  /** The session that has to answer what the server asked, by the key of the id. */
  readonly #asked = new Map<string, HostSession>();
  /** Of requests that no host has sent: Countersign's own. */
  readonly #own = new WeakSet<Exchange>();
  #side: ServerSide | undefined;

  constructor(options: HostConnectionOptions) {
    this.#options = options;
    this.era = options.era;
  }

  attach(side: ServerSide): void {
    this.#side = side;
  }

  get side(): ServerSide {
    if (this.#side === undefined) throw new Error("a connection was used before it had a server");
    return this.#side;
  }

  /** The guard's `toHost`. */
  toHost(message: string | Uint8Array, about: About): void {
    const { request, answers, asks, method } = about;
    const heard = about.via as Heard | undefined;
    const event = heard?.event === undefined ? undefined : eventIdFor(heard.event);
    const seat = request?.seat instanceof HostSeat ? request.seat : undefined;
    if (answers !== "no") {
      if (seat !== undefined && request !== undefined) this.#answer(message, about, seat, event);
      return;
    }
    const own = seat === undefined || request === undefined ? undefined : seat.streams.get(request.id.key);
    const stream = own ?? (heard === undefined ? undefined : this.#streams.get(heard.exchange));
    const session = seat?.session ?? (this.sessions.size === 1 ? [...this.sessions][0] : undefined);
    if (asks !== undefined) this.#ask(message, asks, session, stream, event);
    else if (!stream?.tell(message, event)) this.#tell(message, seat, method, event);
  }

  /** The guard's `isOwn`: nobody is asked anything because Countersign has looked at what a prompt says. */
  isOwn(via: Via): boolean {
    return this.#own.has((via as Heard).exchange);
  }

  /** A message of a host's session answers what the server asked. */
  mayAnswer(key: string, session: HostSession): boolean {
    return this.#asked.get(key) === session && this.#asked.delete(key);
  }

  /** What is given to the server; over HTTP in an exchange of its own. */
  sent(sent: Sent, exchange?: Exchange): void {
    if (sent.is === "request" && sent.of === undefined && exchange !== undefined) this.#own.add(exchange);
    if (sent.is !== "request" || !(sent.of?.seat instanceof HostSeat)) return;
    const stream = sent.of.seat.streams.get(sent.of.id.key);
    if (stream === undefined) return;
    if (exchange !== undefined) this.#streams.set(exchange, stream);
    stream.watch?.passed(sent.bound?.address.name);
  }

  /** The host listens to a stream of the server's own, from the beginning or from an event on. */
  listen(stream: HostStream, exchange: Exchange): void {
    this.#streams.set(exchange, stream);
  }

  begins(exchange: Exchange, { status, as }: Head): void {
    const stream = this.#streams.get(exchange);
    if (stream === undefined) return;
    if (as === "sse" && status === 200) stream.beginEvents();
    else stream.status = status;
  }

  beat(exchange: Exchange, { id, retry }: { readonly id?: string; readonly retry?: number }): void {
    const named = id === undefined ? undefined : eventIdFor(id);
    const beat = { ...(named === undefined ? {} : { id: named }), ...(retry === undefined ? {} : { retry }) };
    if (named !== undefined || retry !== undefined) this.#streams.get(exchange)?.beat(beat);
  }

  ends(exchange: Exchange, end: ExchangeEnd): void {
    const stream = this.#streams.get(exchange);
    const { guard } = this.side;
    if (exchange.of === "stream") {
      // Countersign tells of changes though a server has no stream for it; what is asked for again it has not.
      if (stream === undefined || (end.is === "refused" && this.#lasts(stream))) return;
      // The last that came on it may be an answer that is still judged.
      void guard.judged().then(() => stream.end());
      return;
    }
    const { id } = exchange;
    // A host has to begin anew where its server has forgotten it.
    if (end.is === "session-gone") this.sessions.clear();
    if (id === undefined || !guard.waits(id) || end.is === "stopped") return;
    // The server will say the rest to whoever asks for what came after the last event.
    if (stream?.isStreaming === true && (end.is === "done" || end.is === "lost")) {
      guard.adrift(id);
      stream.end();
    } else guard.unanswered(id, reasonOf(end));
  }

  /** A message that is too long to be held: undefined where it has to be looked at whole. */
  large(exchange: Exchange): LargeAnswer | undefined {
    const stream = this.#streams.get(exchange);
    if (exchange.id === undefined || stream === undefined || exchange.of !== "request") return undefined;
    const passes = this.side.guard.asItComes(exchange.id);
    if (passes === undefined) return undefined;
    const { request, server, accepted } = passes;
    if (request.seat instanceof HostSeat) request.seat.streams.delete(request.id.key);
    let out: ReturnType<HostStream["asItComes"]> | undefined;
    const relay = new AnswerRelay({
      expects: { key: exchange.id },
      hostId: request.id.text,
      ...{ server, accepted },
      write: (bytes) => {
        out ??= stream.asItComes();
        return out.write(bytes);
      },
    });
    let isCut = false;
    const cutIfRefused = (verdict: RelayVerdict | undefined): boolean => {
      if (verdict?.is !== "cut") return false;
      if (isCut) return true;
      isCut = true;
      this.#options.cut(verdict.code);
      stream.ended({ is: "cut-off" });
      if (verdict.begun) stream.cut();
      else {
        const error = errorText(-32603, `refused the server's answer: ${verdict.code}`, `{"reason":"${verdict.code}"}`);
        stream.answer(`{"jsonrpc":"2.0","id":${request.id.text},"error":${error}}`, {});
      }
      // The server may go on for ever.
      this.stop(exchange);
      return true;
    };
    return {
      push: (bytes) => relay.push(bytes) || cutIfRefused(relay.verdict),
      onDrain: (resume) => stream.onDrain(resume),
      end: (complete) => {
        if (relay.verdict?.is === "cut" || cutIfRefused(relay.end(complete))) return;
        stream.ended({ is: "result" });
        out?.end();
      },
    };
  }

  /** The host has hung up on a stream that it asked for. */
  stop(exchange: Exchange): void {
    this.side.stop?.(exchange);
  }

  /** Everything that hosts wait for is over. */
  close(): void {
    for (const session of this.sessions) session.close();
    this.sessions.clear();
  }

  #lasts(stream: HostStream): boolean {
    return [...this.sessions].some((session) => session.listensOn(stream));
  }

  #answer(message: string | Uint8Array, about: About, seat: HostSeat, event: string | undefined): void {
    const { request, answers, code, isServers = false } = about;
    if (request === undefined) return;
    const heard = about.via as Heard | undefined;
    const { session } = seat;
    const own = seat.streams.get(request.id.key);
    seat.streams.delete(request.id.key);
    if (own?.isOpen === true) {
      const gone = session !== undefined && session.handshake === undefined && !this.sessions.has(session);
      if (session?.handshake === request.id.key) {
        session.handshake = undefined;
        if (answers !== "result") {
          own.header("mcp-session-id", undefined);
          this.sessions.delete(session);
        }
      }
      own.ended(endOf(about));
      // Of an error that is ours: a server's 401 is none of this gateway's, and no host shall sign in here because of it.
      const isOurs = code !== undefined && !isServers;
      const ours = this.era === "stateless" ? statusOf(code ?? 0) : gone ? 404 : 200;
      const status = isOurs ? ours : undefined;
      own.answer(message, {
        ...(event === undefined ? {} : { id: event }),
        ...(status === undefined ? {} : { status }),
      });
      return;
    }
    // Asked for once more, on a stream that may have others to come.
    const again = heard === undefined ? undefined : this.#streams.get(heard.exchange);
    if (again?.tell(message, event) === true) return;
    if (request.key !== undefined && this.side.listen !== undefined) this.side.guard.adrift(request.key);
  }

  #ask(
    message: string | Uint8Array,
    asks: string,
    session: HostSession | undefined,
    stream: HostStream | undefined,
    event: string | undefined,
  ): void {
    // It may hold what another has said in a call, even where only one stranger is left.
    const asked = this.#options.strangers ? undefined : (session ?? this.#mostLikely());
    const told = asked !== undefined && (stream?.tell(message, event) === true || asked.ask(message));
    if (asked !== undefined && told) this.#asked.set(asks, asked);
    else this.side.guard.cannotAsk(asks);
  }

  /** Of several sessions of one principal: the one that waits for something, or was heard of last. */
  #mostLikely(): HostSession | undefined {
    const last = [...this.sessions].sort((a, b) => b.heard - a.heard);
    return last.find(({ seat }) => seat.streams.size > 0) ?? last[0];
  }

  #tell(
    message: string | Uint8Array,
    seat: HostSeat | undefined,
    method: string | undefined,
    event: string | undefined,
  ): void {
    if (seat?.session !== undefined) {
      if (!seat.session.say(message, event)) this.#options.dropped();
      return;
    }
    // What one of many strangers has brought about may say more than that a list has changed.
    const bare = this.#options.strangers;
    if (bare && (method === undefined || !bareNotifications.has(method))) return;
    const text = bare ? `{"jsonrpc":"2.0","method":"${method}"}` : message;
    for (const session of this.sessions) if (!session.say(text, event)) this.#options.dropped();
  }
}

function endOf({ answers, code, isServers = false, isToolError = false }: About): RequestEnd {
  if (answers === "result") return { is: isToolError ? "tool-error" : "result" };
  return { is: isServers ? "error" : "refused", ...(code === undefined ? {} : { code }) };
}

function reasonOf(end: ExchangeEnd): string {
  switch (end.is) {
    case "needs-sign-in":
      return "NEEDS_SIGN_IN";
    case "session-gone":
      return "SESSION_GONE";
    case "lost":
      return end.code;
    case "refused":
      return `HTTP_${end.status}`;
    case "done":
    case "stopped":
      return "NO_ANSWER";
  }
}
