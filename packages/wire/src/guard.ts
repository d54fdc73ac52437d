import { type Json, lists, memberOf, type Offer, type Ruling, type ServerName, type Source } from "@countersign/core";
import { asAsked } from "./as-asked.ts";
import { Bodies } from "./bodies.ts";
import type { Bound, CallRefusal } from "./call-gate.ts";
import { ChangeNotices } from "./change-notices.ts";
import { bareError, errorText } from "./error-text.ts";
import { type Frame, type FrameRefusal, guessId, type Id, readFrame } from "./frame.ts";
import type { Asked } from "./freshness.ts";
import { defaultLimits, type GuardLimits, type GuardOptions, type Via } from "./guard-options.ts";
import { Handshake } from "./handshake.ts";
import { HeldOffers } from "./held-offers.ts";
import { type Beside, HostQueues } from "./host-queues.ts";
import { type Expected, HostRequests, type Pending, type Seat } from "./host-requests.ts";
import { acknowledged, cancelledIn, idKeyOf, type OnStream } from "./listens.ts";
import { type MayUse, mayUse } from "./may-use.ts";
import {
  bareNotifications,
  hostMethods,
  hostNotifications,
  serverNotifications,
  subscribedIn,
  type Use,
} from "./methods.ts";
import { oneLine } from "./one-line.ts";
import { OwnRequests } from "./own-requests.ts";
import { asksIn, onlyAsks } from "./read-ask.ts";
import { Refusals } from "./refusals.ts";
import { Repeats } from "./repeats.ts";
import { type ResultFrame, serveBody, withKnownServerInfo } from "./serve.ts";
import { ServedLists } from "./served-lists.ts";
import { ServerAsks } from "./server-asks.ts";
import { spliced } from "./splice.ts";
import { type StandingText, textAskedFor, textOfResource } from "./standing-text.ts";
import { resultOfTask, Tasks } from "./tasks.ts";
import { type Checkpoint, codeOf } from "./wire-event.ts";
import { isLetThrough } from "./withheld.ts";

type NamedUse = Extract<MayUse, { is: "yes" }> & { readonly use: Use };

type Request = Extract<Frame, { is: "request" }>;
type Notification = Extract<Frame, { is: "notification" }>;

/** An answer that is passed on while the server still sends it. */
export interface AsItComes {
  readonly request: Pending;
  readonly server: ServerName;
  /** Canonical forms of the `serverInfo` that it may repeat. */
  readonly accepted: ReadonlySet<string>;
}

/**
 * One connection between a host and a server, both of either protocol era. Everything that a host is shown of a server
 * goes through `rule`; everything that it uses is checked against the ledger of that moment.
 */
export class Guard {
  readonly #options: GuardOptions;
  readonly #limits: GuardLimits;
  readonly #hostRequests = new HostRequests();
  readonly #refusals: Refusals;
  readonly #asks: ServerAsks;
  readonly #own: OwnRequests;
  readonly #repeats = new Repeats();
  readonly #offers: HeldOffers;
  readonly #served = new ServedLists();
  readonly #tasks = new Tasks();
  readonly #bodies: Bodies;
  readonly #notices: ChangeNotices;
  readonly #handshake: Handshake;
  #known = false;
  #opened = false;
  /** The `_meta` that a modern host puts on every request, for requests of the guard's own. */
  #envelope: string | undefined;
  /** Whether the server has ever answered the host. */
  #answered = false;
  readonly #queues: HostQueues;
  #closed = false;
  /** Answers of the server that are looked at just now. */
  readonly #judging = new Set<Promise<void>>();

  constructor(options: GuardOptions) {
    this.#options = {
      ...options,
      // Ids, cursors and `_meta` go out as one side spelled them, and may hold what another reader takes for a line's end.
      toHost: (message, about) => options.toHost(typeof message === "string" ? oneLine(message) : message, about),
      toServer: (text, sent) => options.toServer(oneLine(text), sent),
    };
    this.#refusals = new Refusals(this.#options);
    this.#queues = new HostQueues(
      ({ frame, seat, beside }) => this.#hostAsks(frame, seat, beside),
      ({ frame, seat }, error) => this.#brokenAsk(frame, seat, error),
    );
    this.#notices = new ChangeNotices({
      toHost: this.#options.toHost,
      dropped: () => options.report({ is: "not-ready-yet" }),
      isModern: () => this.#envelope !== undefined,
    });
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#own = new OwnRequests(options.nonce, this.#limits.answer, this.#options.toServer);
    const broken = (what: string, error: unknown) => this.#sayBroken(what, error);
    const { change, maxAge, load } = options.checkpoints;
    this.#offers = new HeldOffers({
      ...{ server: options.server, limits: this.#limits, change, maxAge, report: options.report, broken },
      repeats: this.#repeats,
      ask: (source, params) => this.#ask(source, params),
      changed: (offer) => this.#verify(offer, "change"),
      lost: (source) => this.#notices.compare([[source, undefined]]),
    });
    this.#asks = new ServerAsks({
      ...this.#options,
      allow: options.allowed.methods,
      judge: options.allowed.judge,
      known: () => this.#known,
      toHost: (text, asks, via) => this.#notices.tell(text, { answers: "no", asks, via }),
      toServer: (text, key) => this.#options.toServer(text, { is: "answer", key }),
      broken,
    });
    this.#handshake = new Handshake({
      ...{ server: options.server, offers: this.#offers, load, patience: this.#limits.load },
      ...{ report: options.report, broken },
      ask: (source) => this.#ask(source),
      verify: (offer, by) => this.#verify(offer, by),
      answered: (source) => {
        if (source === "initialize" && this.#notices.readiness.sayForHost())
          this.#options.toServer(initialized, { is: "notification", method: "notifications/initialized" });
      },
      late: (source) => this.#notices.view.lacks(source),
      loadBodies: () => this.#bodies.deriveWithin(this.#limits.bodiesBy),
    });
    this.#bodies = new Bodies({
      ...{ server: options.server, rule: options.rule, offers: this.#offers, most: this.#limits.bodies },
      ask: (method, params) => this.#ask(method, params),
      broken,
    });
  }

  /** One line from the host, without its LF. */
  fromHost(bytes: Uint8Array): void {
    const reading = readFrame(bytes);
    if (reading.is === "refused") {
      this.#frameRefused("host", reading.refusal);
      this.#refuseHost(bytes, reading.refusal.code);
      return;
    }
    this.hear(reading.frame);
  }

  /**
   * One message of a host's.
   *
   * @param seat where hosts share this connection: whose it is. Ids need to differ within one seat only.
   * @param beside what was said beside the message, to be held against the definition that it uses
   */
  hear(frame: Frame, seat?: Seat, beside?: Beside): void {
    // Answers pass the queue: a request in it may be waiting for just this answer.
    if (frame.is === "result" || frame.is === "error") {
      this.#hostAnswer(frame);
      return;
    }
    this.#queues.add(frame, seat, beside);
  }

  /**
   * One line from the server, without its LF.
   *
   * @param via where it came in, where a server has more than one way to say something
   */
  fromServer(bytes: Uint8Array, via?: Via): void {
    const repeated = this.#repeats.read(bytes);
    if (repeated !== undefined) {
      this.#serverAnswer(repeated, via);
      return;
    }
    const reading = readFrame(bytes);
    if (reading.is === "refused") {
      this.#frameRefused("server", reading.refusal);
      this.#failGuessed(bytes, reading.refusal.code);
      return;
    }
    const { frame } = reading;
    switch (frame.is) {
      case "result":
      case "error":
        this.#serverAnswer(frame, via);
        return;
      case "request":
        if (via !== undefined && this.#options.isOwn?.(via) === true) this.#asks.uncaused(frame);
        else this.#asks.request(frame, via);
        return;
      case "notification":
        this.#serverNotifies(frame, via);
    }
  }

  /**
   * Whether the answer to a request may be passed on as it comes, since it holds nothing that is pinned or looked at. If so
   * it is answered by that, and whoever asked has to see that it is passed on whole.
   */
  asItComes(key: string): AsItComes | undefined {
    const waiting = this.#hostRequests.waiting(key);
    if (waiting === undefined || !this.#known) return undefined;
    const { of, body, called } = waiting;
    if (of !== undefined || body !== undefined || called !== undefined) return undefined;
    if (hostMethods.get(waiting.method)?.is !== "use") return undefined;
    this.#hostRequests.answer(key);
    this.#hostRequests.forget(key);
    return { request: waiting, server: this.#options.server, accepted: this.#handshake.accepted };
  }

  /** Whether the server has still to answer the request that it knows under this key, be it a host's or the guard's own. */
  waits(key: string): boolean {
    return this.#own.waits(key) || this.#hostRequests.waiting(key) !== undefined;
  }

  /** The server will not answer this request. `reason`: a code of our own; `next`: what to do about it. */
  unanswered(key: string, reason: string, next?: string): void {
    if (this.#own.settle(key, { is: "none", code: "NO_ANSWER" })) return;
    const pending = this.#hostRequests.waiting(key);
    if (pending === undefined) return;
    this.#hostRequests.forget(key);
    this.#notices.listens.close(key);
    if (pending.of?.source === "initialize") this.#handshake.failed();
    const message = `has no answer from the server: ${reason}${next === undefined ? "" : `; ${next}`}`;
    this.#refusals.fail(pending, -32603, message, `{"reason":"${reason}"}`);
  }

  /** No host can be asked what the server asked under this key. */
  cannotAsk(key: string): void {
    this.#asks.cannotAsk(key);
  }

  /** The host has hung up without its answer, and may ask the server for it once more. */
  adrift(key: string): void {
    this.#hostRequests.adrift(key);
  }

  /** The key under which the server knows a request that its host still waits for. */
  keyOf({ key }: Pick<Id, "key">, seat: Seat): string | undefined {
    return this.#hostRequests.find({ key }, seat);
  }

  /** The host waits no longer for this request of its own. Returns the key under which the server knows it. */
  takeBack({ key }: Pick<Id, "key">, seat?: Seat): string | undefined {
    const known = this.#hostRequests.find({ key }, seat);
    if (known === undefined || !this.#hostRequests.forget(known)) return undefined;
    this.#notices.listens.close(known);
    return known;
  }

  /** A line that was too long to read; `ends` is its beginning and its end. */
  tooLong(from: "host" | "server", ends: Uint8Array): void {
    this.#frameRefused(from, { code: "TOO_LARGE", at: 0 });
    if (from === "server") this.#failGuessed(ends, "TOO_LARGE");
    else this.#refuseHost(ends, "TOO_LARGE");
  }

  /** The ledger or the policy changed: rule again on all that is held, and tell the host where its view is no longer true. */
  async refresh(): Promise<void> {
    await this.#updateKnown();
    const ruled: [Source, readonly Ruling[]][] = [];
    for (const [source, offer] of this.#offers) {
      // A handshake is ruled on when all is derived that goes with it: it ends what counts as first sight.
      if (this.#handshake.loading && !lists.has(source)) continue;
      const rulings = await this.#options.rule(offer);
      if (!lists.has(source)) this.#handshake.accept({ offer, rulings });
      ruled.push([source, rulings]);
    }
    this.#notices.compare(ruled);
  }

  /** Resolves when every answer that the server has given so far is passed on or withheld. */
  async judged(): Promise<void> {
    await Promise.all(this.#judging);
  }

  /** Resolves when everything that the host has said so far is passed on or refused. */
  settled(): Promise<void> {
    return this.#queues.settled();
  }

  /** The server is gone. A host that still waits is told so, unless it was the one to hang up. */
  close(by: "host" | "server"): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#own.close();
    this.#offers.close();
    this.#asks.close();
    this.#bodies.close();
    const waiting = this.#hostRequests.close();
    if (by === "server")
      for (const one of waiting) this.#refusals.fail(one, -32603, "the server closed the connection");
  }

  async #hostAsks(frame: Request | Notification, seat: Seat | undefined, beside: Beside | undefined): Promise<void> {
    if (this.#closed) {
      if (frame.is === "request")
        this.#refusals.fail({ id: frame.id, seat }, -32603, "the server closed the connection");
      return;
    }
    // Before the server hears anything: what it says first is already judged by it.
    if (!this.#opened) await this.#updateKnown();
    if (frame.is === "notification") return this.#hostNotifies(frame, seat);
    const method = hostMethods.get(frame.method);
    if (method === undefined && !this.#options.allowed.methods.has(frame.method)) {
      this.#options.report({ is: "method-refused", from: "host", method: frame.method });
      this.#refusals.fail({ id: frame.id, seat }, -32601, "does not know this method");
      return;
    }
    if (this.#hostRequests.find(frame.id, seat) !== undefined) {
      this.#refusals.fail({ id: frame.id, seat }, -32600, "is still waiting for the answer to a request with this id");
      return;
    }
    this.#readEnvelope(frame);
    switch (method?.is) {
      case "source":
        if (memberOf(frame.params, "cursor") !== undefined) {
          this.#refusals.fail({ id: frame.id, seat }, -32602, "gives every list as one page and has issued no cursor");
          return;
        }
        if (method.source === "initialize" && seat !== undefined) {
          const again = await this.#handshake.again(frame.id);
          if (again !== undefined) {
            await this.#updateKnown();
            this.#options.toHost(again, { request: { id: frame.id, seat }, answers: "result" });
            return;
          }
        }
        this.#forward(frame, seat, { of: { source: method.source, asked: this.#offers.asks(method.source) } });
        return;
      case "use": {
        const use = method.of(frame.params);
        const ruled = await this.#mayUseNamed(use);
        if (ruled.is === "no") this.#refusals.use({ id: frame.id, seat }, use, ruled.code);
        else if (ruled.use.kind === "tool") await this.#call(frame, seat, ruled.bound, beside);
        else {
          const body = textAskedFor(frame.method, ruled.use.name, ruled.bound.rendering.text);
          this.#forward(frame, seat, body === undefined ? {} : { body });
        }
        return;
      }
      case "listen":
        for (const use of subscribedIn(frame.params)) {
          const ruled = await this.#mayUseNamed(use);
          if (ruled.is === "yes") continue;
          this.#refusals.use({ id: frame.id, seat }, use, ruled.code);
          return;
        }
        this.#forward(frame, seat);
        return;
      case "task": {
        const called = this.#tasks.called(frame.params);
        this.#forward(frame, seat, called === undefined ? {} : { called });
        return;
      }
      case "plain":
      case undefined:
        this.#forward(frame, seat);
    }
  }

  async #call(frame: Request, seat: Seat | undefined, bound: Bound, beside: Beside | undefined): Promise<void> {
    const mismatch = beside?.(bound);
    if (mismatch !== undefined) {
      this.#refusals.fail({ id: frame.id, seat }, mismatch.code, mismatch.message);
      return;
    }
    const gate = await this.#options.calls();
    const refusal = gate.mayCall(bound, frame.params);
    const { mayReturn } = gate;
    if (refusal !== undefined) this.#refusals.call({ id: frame.id, seat }, bound, refusal, "refuses this call");
    else this.#forward(frame, seat, mayReturn === undefined ? {} : { called: { bound, mayReturn } }, bound);
  }

  #forward(frame: Request, seat: Seat | undefined, expected: Expected = {}, bound?: Bound): void {
    const token = seat === undefined ? undefined : memberOf(memberOf(frame.params, "_meta"), "progressToken");
    const spelled = token === undefined ? {} : { token: frame.text.slice(token.start, token.end) };
    const pending = this.#hostRequests.open(frame, seat, { ...expected, ...spelled });
    const { key } = pending;
    if (frame.method === "subscriptions/listen") this.#notices.listens.open(pending, frame.params);
    const { id, method, params } = frame;
    // Hosts that share a connection count alike, so the server knows their requests by names of our own.
    const names = seat === undefined ? [] : [{ start: id.start, end: id.start + id.text.length }, token ?? []].flat();
    const text = spliced(
      frame.text,
      names.map(({ start, end }) => ({ start, end, text: key })),
    );
    this.#options.toServer(text, {
      is: "request",
      key,
      method,
      params,
      of: pending,
      ...(bound === undefined ? {} : { bound }),
    });
    if (expected.of === undefined) return;
    const { patience } = this.#limits;
    const unanswered = () => this.#options.report({ is: "no-answer-yet", method, seconds: patience / 1_000 });
    this.#hostRequests.mind(key, patience, unanswered);
  }

  #hostNotifies(frame: Notification, seat: Seat | undefined): void {
    if (!hostNotifications.has(frame.method) && !this.#options.allowed.methods.has(frame.method)) {
      this.#options.report({ is: "method-refused", from: "host", method: frame.method });
      return;
    }
    if (frame.method === "notifications/initialized" && !this.#notices.readiness.hostSaid()) return;
    if (frame.method === "notifications/cancelled") {
      const named = memberOf(frame.params, "requestId");
      const key = this.takeBack({ key: cancelledIn(frame) }, seat);
      if (key === undefined || named === undefined) return;
      const text = seat === undefined ? frame.text : spliced(frame.text, [{ ...spanOf(named), text: key }]);
      this.#options.toServer(text, { is: "notification", method: frame.method, cancels: key });
      return;
    }
    this.#options.toServer(frame.text, { is: "notification", method: frame.method });
  }

  #hostAnswer(frame: Extract<Frame, { is: "result" | "error" }>): void {
    if (!this.#asks.answered(frame.id.key)) {
      this.#options.report({ is: "unasked-answer", from: "host" });
      return;
    }
    this.#options.toServer(frame.text, { is: "answer", key: frame.id.key });
  }

  async #mayUseNamed(use: Use | undefined): Promise<NamedUse | Extract<MayUse, { is: "no" }>> {
    if (use === undefined) return { is: "no", code: "NOT_NAMED" };
    const ruled = await this.#mayUse(use);
    return ruled.is === "no" ? ruled : { ...ruled, use };
  }

  async #mayUse(use: Use): Promise<MayUse> {
    const { rule, checkpoints } = this.#options;
    const ruled = await mayUse(use, {
      offers: this.#offers,
      view: this.#notices.view,
      rule,
      verify: (offer) => this.#verify(offer, "call"),
      refetch: checkpoints.refetchOnCall,
    });
    if (ruled.is === "yes") {
      this.#known = true;
      if (ruled.despite !== undefined) this.#refusals.letThrough(use, ruled.despite);
    } else if (ruled.outdated !== undefined) this.#notices.compare([ruled.outdated]);
    return ruled;
  }

  #serverAnswer(frame: Extract<Frame, { is: "result" | "error" }>, via: Via | undefined): void {
    if (this.#own.settle(frame.id.key, frame)) return;
    const pending = this.#hostRequests.answer(frame.id.key);
    if (pending === undefined) {
      this.#options.report({ is: "unasked-answer", from: "server" });
      return;
    }
    if (!this.#answered) this.#options.report({ is: "answered" });
    this.#answered = true;
    const { key } = pending;
    // Countersign has declared that it tells of changes, whatever the server does, so it keeps the stream.
    const kept = frame.is === "error" ? this.#notices.listens.adopt(key) : undefined;
    if (kept !== undefined) {
      this.#listening(kept);
      return;
    }
    if (pending.of === undefined && pending.body === undefined) this.#hostRequests.forget(key);
    this.#notices.listens.close(key);
    if (frame.is === "error") {
      this.#hostRequests.forget(key);
      this.#passError(frame, pending, via);
      return;
    }
    this.#passResult(pending.seat === undefined ? frame : asAsked(frame, pending.id), pending, via);
  }

  #passError(frame: Extract<Frame, { is: "error" }>, pending: Pending, via: Via | undefined): void {
    if (pending.of?.source === "initialize") this.#handshake.failed();
    if (!this.#known) {
      const text = `{"jsonrpc":"2.0","id":${pending.id.text},"error":${bareError(frame.error)}}`;
      this.#options.toHost(text, { request: pending, answers: "error", isServers: true, code: codeIn(frame), via });
      return;
    }
    const passage = this.#asks.inError(frame);
    if (passage.is === "refused") {
      this.#refusals.answer(pending, passage);
      return;
    }
    const { start, text: named } = frame.id;
    const renamed = { start, end: start + named.length, text: pending.id.text };
    const text = spliced(frame.text, [...passage.splices, renamed]);
    this.#options.toHost(text, { request: pending, answers: "error", isServers: true, code: codeIn(frame), via });
  }

  #passResult(frame: ResultFrame, pending: Pending, via: Via | undefined): void {
    const asksOnly = pending.body !== undefined && onlyAsks(frame.page.result);
    if (asksOnly) this.#hostRequests.forget(pending.key);
    const refusal = this.#returned(pending, frame.page.result);
    if (pending.of !== undefined) this.#serve(frame, pending, pending.of, via);
    else if (pending.body !== undefined && !asksOnly) {
      this.#judge(
        this.#serveBody(frame, pending, pending.body, via).catch((error) => this.#brokenAnswer(pending, error)),
      );
    } else if (!this.#known) {
      // Nothing of it can be in use yet, so the request was one that has nothing to say beside "done".
      this.#answer(pending, `{"jsonrpc":"2.0","id":${pending.id.text},"result":{"resultType":"complete"}}`, via);
    } else if (pending.called !== undefined && refusal !== undefined) {
      this.#refusals.call(pending, pending.called.bound, refusal, "refused the server's answer");
    } else if (asksIn(frame.page.result) || !this.#knowsInfoOf(frame)) {
      this.#judge(
        this.#passAfterLooking(frame, pending, via).catch((error) => this.#brokenAnswer(pending, error, true)),
      );
    } else {
      const text = withKnownServerInfo(frame, this.#options.server, this.#handshake.accepted);
      this.#answer(pending, text, via, failsIn(frame));
    }
  }

  /** What speaks against the result of a call, or of the task that it has become. */
  #returned({ called, method }: Pending, result: Json): CallRefusal | undefined {
    if (called === undefined) return undefined;
    if (method === "tools/call") this.#tasks.begin(called, result);
    const returned = method === "tools/call" ? result : resultOfTask(method, result);
    return returned === undefined ? undefined : called.mayReturn(called.bound, returned);
  }

  #answer(request: Pending, message: string | Uint8Array, via: Via | undefined, isToolError = false): void {
    this.#options.toHost(message, { request, answers: "result", isToolError, via });
  }

  /** A modern result repeats `serverInfo`; on a connection that saw no handshake, ours is what it is compared with. */
  #knowsInfoOf(frame: ResultFrame): boolean {
    return this.#handshake.accepted.size > 0 || memberOf(frame.page.result, "_meta") === undefined;
  }

  async #passAfterLooking(frame: ResultFrame, pending: Pending, via: Via | undefined): Promise<void> {
    const passage = asksIn(frame.page.result)
      ? await this.#asks.inResult(frame.page)
      : ({ is: "passes", splices: [] } as const);
    if (!this.#knowsInfoOf(frame)) await this.#handshake.learn();
    if (passage.is === "refused") this.#refusals.answer(pending, passage);
    else {
      const { server } = this.#options;
      this.#answer(pending, withKnownServerInfo(frame, server, this.#handshake.accepted, passage.splices), via);
    }
  }

  #serve(
    frame: ResultFrame,
    pending: Pending,
    { source, asked }: NonNullable<Pending["of"]>,
    via: Via | undefined,
  ): void {
    const serving = lists.has(source)
      ? this.#serveList(frame, source, asked)
      : this.#handshake.serve(frame, source).then((text) => this.#updateKnown().then(() => text));
    this.#judge(
      serving
        .then((message) => {
          if (!this.#hostRequests.forget(pending.key)) return;
          this.#answer(pending, message, via);
          this.#options.report({ is: "listed", source });
        })
        .catch((error) => this.#brokenAnswer(pending, error)),
    );
  }

  #judge(work: Promise<void>): void {
    this.#judging.add(work);
    void work.finally(() => this.#judging.delete(work));
  }

  /** What stands behind a bound handle is bound by itself, or the host is told that it is withheld. */
  async #serveBody(frame: ResultFrame, pending: Pending, body: StandingText, via: Via | undefined): Promise<void> {
    if (memberOf(frame.page.result, "_meta") !== undefined) await this.#handshake.learn();
    const judged = await this.#bodies.judge(body, frame);
    if (!this.#hostRequests.forget(pending.key)) return;
    if ("code" in judged) {
      this.#refusals.use(pending, body, judged.code);
      return;
    }
    const [ruling] = judged.rulings;
    const code = ruling === undefined ? "NOT_OFFERED" : codeOf(ruling.reasons);
    const text = serveBody(frame, judged, this.#handshake.accepted);
    if (text === undefined) {
      this.#refusals.use(pending, body, code);
      return;
    }
    if (ruling !== undefined && isLetThrough(ruling)) this.#refusals.letThrough(body, code);
    this.#answer(pending, text, via);
  }

  async #serveList(frame: ResultFrame, source: Source, asked: Asked): Promise<string | Uint8Array> {
    if (this.#envelope !== undefined) await this.#handshake.learn();
    const collected = await this.#offers.collect(source, frame, asked);
    if (collected.is === "failed") {
      this.#notices.view.lacks(source);
      const { code } = collected.failure;
      const data = `{"reason":"${code}"}`;
      return `{"jsonrpc":"2.0","id":${frame.id.text},"error":${errorText(-32603, `withholds this list: ${code}`, data)}}`;
    }
    const { offer, pages } = collected;
    const rulings = await this.#options.rule(offer);
    await this.#updateKnown();
    this.#notices.view.show(source, rulings);
    this.#options.report({ is: "verified", source, by: "list" });
    return this.#served.serve(frame, pages, { offer, rulings }, this.#handshake.accepted);
  }

  /** Rules on what was had just now, and tells the host where its list is no longer true. */
  async #verify(offer: Offer, by: Checkpoint): Promise<readonly Ruling[]> {
    const { source } = offer;
    const rulings = await this.#options.rule(offer);
    this.#options.report({ is: "verified", source, by });
    this.#notices.compare([[source, rulings]]);
    return rulings;
  }

  #serverNotifies(frame: Notification, via: Via | undefined): void {
    const uri = frame.method === "notifications/resources/updated" ? memberOf(frame.params, "uri") : undefined;
    if (uri?.is === "string" && textOfResource(uri.value) !== undefined) this.#bodies.changed();
    const changed = bareNotifications.get(frame.method);
    if (changed !== undefined) {
      for (const source of changed) this.#offers.wentStale(source);
      if (!changed.includes("tools/list")) this.#bodies.changed();
      this.#notices.pass(frame, changed, this.#known, via);
    } else if (!serverNotifications.has(frame.method) && !this.#options.allowed.methods.has(frame.method)) {
      this.#options.report({ is: "method-refused", from: "server", method: frame.method });
    } else if (frame.method === acknowledged) {
      const { listens } = this.#notices;
      const told = this.#known ? listens.onStream(frame) : listens.acknowledgement(frame);
      if (told === undefined) this.#options.report({ is: "not-approved-yet", method: frame.method });
      listens.begin(frame);
      if (told !== undefined) this.#listening(told);
    } else if (this.#known) {
      if (frame.method === "notifications/progress") this.#tellProgress(frame, via);
      else if (frame.params !== undefined && asksIn(frame.params))
        this.#tellAsking(frame, frame.params, via).catch((error) => this.#sayBroken(frame.method, error));
      else if (frame.method !== "notifications/cancelled" || !this.#asks.takenBack(cancelledIn(frame)))
        this.#notices.tellOf(frame, via);
    } else this.#options.report({ is: "not-approved-yet", method: frame.method });
  }

  /** Under the token that its host has given, where the server knows it by one of ours. */
  #tellProgress(frame: Notification, via: Via | undefined): void {
    const token = memberOf(frame.params, "progressToken");
    const request = token === undefined ? undefined : this.#hostRequests.waiting(idKeyOf(frame.text, token) ?? "");
    if (token === undefined || request?.token === undefined) {
      this.#notices.tell(frame.text, { answers: "no", method: frame.method, via });
      return;
    }
    const text = spliced(frame.text, [{ ...spanOf(token), text: request.token }]);
    this.#notices.tell(text, { request, answers: "no", method: frame.method, via });
  }

  /** What is told of a task may ask of the host what a result asks (2026-07-28, `notifications/tasks`). */
  async #tellAsking(frame: Notification, params: Json, via: Via | undefined): Promise<void> {
    const passage = await this.#asks.inResult({ text: frame.text, result: params });
    const called = this.#tasks.called(params);
    const returned = memberOf(params, "result");
    const refusal =
      called === undefined || returned === undefined ? undefined : called.mayReturn(called.bound, returned);
    if (passage.is === "passes" && refusal === undefined) this.#notices.tellOf(frame, via, passage.splices);
  }

  /** The host hears of changes from now on; and first of what has changed since it had its lists. */
  #listening({ text, request }: OnStream): void {
    this.#notices.tell(text, { request, answers: "no", method: acknowledged });
    this.refresh().catch((error) => this.#sayBroken("subscriptions/listen", error));
  }

  #ask(method: string, params: readonly string[] = []) {
    return this.#own.ask(method, this.#envelope === undefined ? params : [...params, `"_meta":${this.#envelope}`]);
  }

  #readEnvelope(frame: Request): void {
    const meta = memberOf(frame.params, "_meta");
    if (meta?.is !== "object") return;
    const kept = meta.members.filter(({ key }) => key.startsWith("io.modelcontextprotocol/"));
    if (!kept.some(({ key }) => key === "io.modelcontextprotocol/protocolVersion")) return;
    this.#envelope = `{${kept.map(({ start, value }) => frame.text.slice(start, value.end)).join(",")}}`;
  }

  async #updateKnown(): Promise<void> {
    this.#known = await this.#options.known();
    this.#opened = true;
  }

  #frameRefused(from: "host" | "server", { code, at }: FrameRefusal): void {
    this.#options.report({ is: "frame-refused", from, code, at });
  }

  #refuseHost(bytes: Uint8Array, code: FrameRefusal["code"]): void {
    const error = errorText(-32600, `refused this message: ${code}`);
    this.#options.toHost(`{"jsonrpc":"2.0","id":${guessId(bytes) ?? "null"},"error":${error}}`, { answers: "no" });
  }

  #failGuessed(bytes: Uint8Array, code: FrameRefusal["code"]): void {
    const id = guessId(bytes);
    if (id === undefined) return;
    if (this.#own.settle(id, { is: "none", code: "FRAME_REFUSED" })) return;
    const pending = this.#hostRequests.answer(id);
    if (pending === undefined) return;
    this.#hostRequests.forget(id);
    this.#refusals.fail(pending, -32603, `refused the server's answer: ${code}`, `{"reason":"${code}"}`);
  }

  /** The ledger, a gate or this guard failed. Whoever asked gets an error; nothing passes. */
  #brokenAsk(frame: Request | Notification, seat: Seat | undefined, error: unknown): void {
    if (this.#closed) return;
    this.#sayBroken(frame.is, error);
    if (frame.is === "notification") return;
    const key = this.#hostRequests.find(frame.id, seat);
    if (key !== undefined) this.#hostRequests.forget(key);
    this.#refusals.fail({ id: frame.id, seat }, -32603, unjudged);
  }

  /**
   * As `#brokenAsk`, of what the server answered: whoever waited for it may have been told already, or have cancelled.
   *
   * @param waits whether the host waits for this answer, though its request is forgotten
   */
  #brokenAnswer(pending: Pending, error: unknown, waits = false): void {
    if (this.#closed) return;
    this.#sayBroken("result", error);
    const waited = this.#hostRequests.forget(pending.key);
    if (waited || waits) this.#refusals.fail(pending, -32603, unjudged);
  }

  #sayBroken(what: string, error: unknown): void {
    if (this.#closed) return; // nobody waits any more, and the ledger may be closed as well
    const text = error instanceof Error ? error.message : String(error);
    this.#options.report({ is: "broken", what, error: text });
  }
}

const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const unjudged = "could not judge this, so it is withheld";

function spanOf({ start, end }: Json): { readonly start: number; readonly end: number } {
  return { start, end };
}

function codeIn({ error }: Extract<Frame, { is: "error" }>): number | undefined {
  const code = memberOf(error, "code");
  return code?.is === "number" ? Number(code.token) : undefined;
}

function failsIn({ page }: ResultFrame): boolean {
  const says = memberOf(page.result, "isError");
  return says?.is === "boolean" && says.value;
}
