import { type Address, type Json, lists, memberOf, type Ruling, readOffer, type Source } from "@countersign/core";
import { Bodies } from "./bodies.ts";
import { bareError, errorText } from "./error-text.ts";
import { type Frame, type FrameRefusal, guessId, type Id, readFrame } from "./frame.ts";
import { defaultLimits, type GuardLimits, type GuardOptions } from "./guard-options.ts";
import { HeldOffers } from "./held-offers.ts";
import { HostReadiness } from "./host-readiness.ts";
import { HostView } from "./host-view.ts";
import { idKeyOf, Listens } from "./listens.ts";
import { type MayUse, mayUse } from "./may-use.ts";
import {
  asksWhatMayNotPass,
  bareNotifications,
  capabilityOf,
  changeOf,
  hostMethods,
  hostNotifications,
  serverMethods,
  serverNotifications,
  subscribedIn,
  type Use,
} from "./methods.ts";
import { oneLine } from "./one-line.ts";
import { OwnRequests } from "./own-requests.ts";
import {
  acceptedInfo,
  type Judged,
  type ResultFrame,
  serveBody,
  serveHandshake,
  serveList,
  serverRendering,
  withKnownServerInfo,
} from "./serve.ts";
import { type StandingText, textAskedFor, textOfResource } from "./standing-text.ts";
import { codeOf, type WireEvent } from "./wire-event.ts";
import { isLetThrough, letThroughIn, noticeOf, reviewId, withheldIn } from "./withheld.ts";

interface Pending {
  readonly method: string;
  readonly id: Id;
  readonly source: Source | undefined;
  /** What the answer will be, where that is pinned by itself. */
  readonly body: StandingText | undefined;
  /** `HeldOffers.changes` of the source when the host asked. */
  readonly asked: number;
  /** A source stays pending while it is judged, so that the host's cancellation still finds it; a second answer must not. */
  answered: boolean;
  /** Until somebody is told that there is no answer. */
  patience: NodeJS.Timeout | undefined;
}

type NamedUse = Extract<MayUse, { is: "yes" }> & { readonly use: Use };
type Request = Extract<Frame, { is: "request" }>;
type Notification = Extract<Frame, { is: "notification" }>;
/**
 * One connection between a host and a server, both of either protocol era. Everything that a host is shown of a server
 * goes through `rule`; everything that it uses is checked against the ledger of that moment.
 */
export class Guard {
  readonly #options: GuardOptions;
  readonly #limits: GuardLimits;
  /** Requests of the host that the server has not answered, by id. */
  readonly #hostRequests = new Map<string, Pending>();
  /** Ids of the server's requests that the host has not answered. */
  readonly #serverRequests = new Set<string>();
  readonly #own: OwnRequests;
  readonly #offers: HeldOffers;
  readonly #bodies: Bodies;
  readonly #view = new HostView();
  #accepted: ReadonlySet<string> = new Set();
  #known = false;
  /** Handshakes for which everything is being derived. */
  #loading = 0;
  #opened = false;
  /** The `_meta` that a modern host puts on every request, for requests of the guard's own. */
  #envelope: string | undefined;
  readonly #listens = new Listens();
  readonly #readiness: HostReadiness;
  /** Whether the server has ever answered the host. */
  #answered = false;
  /** What the host has asked or notified and nobody has looked at yet, in order. */
  readonly #hostQueue: (Request | Notification)[] = [];
  /** Works off the queue; undefined while there is nothing in it. */
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(options: GuardOptions) {
    this.#options = {
      ...options,
      // Ids, cursors and `_meta` go out as one side spelled them, and may hold what another reader takes for a line's end.
      toHost: (text) => options.toHost(oneLine(text)),
      toServer: (text) => options.toServer(oneLine(text)),
    };
    this.#readiness = new HostReadiness(this.#options.toHost);
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#own = new OwnRequests(options.nonce, this.#limits.answer, this.#options.toServer);
    this.#offers = new HeldOffers({
      ...options,
      limits: this.#limits,
      ask: (source, params) => this.#ask(source, params),
      broken: (what, error) => options.report(brokenEvent(what, error)),
    });
    this.#bodies = new Bodies({
      ...{ server: options.server, rule: options.rule, offers: this.#offers, most: this.#limits.bodies },
      ask: (method, params) => this.#ask(method, params),
      broken: (what, error) => options.report(brokenEvent(what, error)),
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
    const { frame } = reading;
    // Answers pass the queue: a request in it may be waiting for just this answer.
    if (frame.is === "result" || frame.is === "error") this.#hostAnswer(frame);
    else {
      this.#hostQueue.push(frame);
      this.#working ??= this.#work();
    }
  }

  /** One line from the server, without its LF. */
  fromServer(bytes: Uint8Array): void {
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
        this.#serverAnswer(frame);
        return;
      case "request":
        this.#serverAsks(frame);
        return;
      case "notification":
        this.#serverNotifies(frame);
    }
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
    for (const [source, offer] of this.#offers) {
      // A handshake is ruled on when all is derived that goes with it: it ends what counts as first sight.
      if (this.#loading > 0 && !lists.has(source)) continue;
      const rulings = await this.#options.rule(offer);
      if (!lists.has(source)) this.#accept({ offer, rulings });
      if (this.#view.isOutdated(source, rulings)) this.#announce(source);
    }
  }

  /** Resolves when everything that the host has said so far is passed on or refused. */
  settled(): Promise<void> {
    return this.#working ?? Promise.resolve();
  }

  /** The server is gone. A host that still waits is told so, unless it was the one to hang up. */
  close(by: "host" | "server"): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#own.close();
    this.#offers.close();
    this.#bodies.close();
    if (by === "server") {
      for (const { id } of this.#hostRequests.values()) this.#fail(id, -32603, "the server closed the connection");
    }
    for (const key of this.#hostRequests.keys()) this.#forget(key);
  }

  async #work(): Promise<void> {
    for (let frame = this.#hostQueue.shift(); frame !== undefined; frame = this.#hostQueue.shift()) {
      try {
        await this.#hostAsks(frame);
      } catch (error) {
        this.#broken(frame, error);
      }
    }
    this.#working = undefined;
  }

  async #hostAsks(frame: Request | Notification): Promise<void> {
    if (this.#closed) {
      if (frame.is === "request") this.#fail(frame.id, -32603, "the server closed the connection");
      return;
    }
    // Before the server hears anything: what it says first is already judged by it.
    if (!this.#opened) await this.#updateKnown();
    if (frame.is === "notification") return this.#hostNotifies(frame);
    const method = hostMethods.get(frame.method);
    if (method === undefined) {
      this.#options.report({ is: "method-refused", from: "host", method: frame.method });
      this.#fail(frame.id, -32601, "does not know this method");
      return;
    }
    if (this.#hostRequests.has(frame.id.key)) {
      this.#fail(frame.id, -32600, "is still waiting for the answer to a request with this id");
      return;
    }
    this.#readEnvelope(frame);
    switch (method.is) {
      case "source":
        if (memberOf(frame.params, "cursor") !== undefined) {
          this.#fail(frame.id, -32602, "gives every list as one page and has issued no cursor");
          return;
        }
        this.#forward(frame, { source: method.source });
        return;
      case "use": {
        const use = method.of(frame.params);
        const ruled = await this.#mayUseNamed(use);
        if (ruled.is === "no") this.#refuseUse(frame.id, use, ruled.code);
        else this.#forward(frame, { body: textAskedFor(frame.method, ruled.use.name, ruled.as.text) });
        return;
      }
      case "listen":
        for (const use of subscribedIn(frame.params)) {
          const ruled = await this.#mayUseNamed(use);
          if (ruled.is === "yes") continue;
          this.#refuseUse(frame.id, use, ruled.code);
          return;
        }
        this.#listens.open(frame.id, frame.params);
        this.#forward(frame);
        return;
      case "plain":
        this.#forward(frame);
    }
  }

  #forward(frame: Request, { source, body }: Partial<Pick<Pending, "source" | "body">> = {}): void {
    const pending: Pending = {
      method: frame.method,
      id: frame.id,
      source,
      body,
      asked: source === undefined ? 0 : this.#offers.changes(source),
      answered: false,
      patience: undefined,
    };
    this.#hostRequests.set(frame.id.key, pending);
    this.#options.toServer(frame.text);
    if (source === undefined) return;
    const seconds = this.#limits.patience / 1_000;
    pending.patience = setTimeout(() => {
      if (!pending.answered) this.#options.report({ is: "no-answer-yet", method: frame.method, seconds });
    }, this.#limits.patience).unref();
  }

  /** Whether the host still waited for this; it does no longer. */
  #forget(key: string): boolean {
    clearTimeout(this.#hostRequests.get(key)?.patience);
    return this.#hostRequests.delete(key);
  }

  #hostNotifies(frame: Notification): void {
    if (!hostNotifications.has(frame.method)) {
      this.#options.report({ is: "method-refused", from: "host", method: frame.method });
      return;
    }
    if (frame.method === "notifications/initialized" && !this.#readiness.hostSaid()) return;
    if (frame.method === "notifications/cancelled") {
      const id = memberOf(frame.params, "requestId");
      const key = id === undefined ? undefined : idKeyOf(frame.text, id);
      if (key === undefined || !this.#forget(key)) return;
      this.#listens.close(key);
    }
    this.#options.toServer(frame.text);
  }

  #hostAnswer(frame: Extract<Frame, { is: "result" | "error" }>): void {
    if (!this.#serverRequests.delete(frame.id.key)) {
      this.#options.report({ is: "unasked-answer", from: "host" });
      return;
    }
    this.#options.toServer(frame.text);
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
      view: this.#view,
      rule,
      refetch: checkpoints.refetchOnCall,
    });
    if (ruled.is === "yes") {
      this.#known = true;
      if (ruled.despite !== undefined) this.#usedDespite(use, ruled.despite);
    } else if (ruled.outdated !== undefined) this.#announce(ruled.outdated);
    return ruled;
  }

  #usedDespite({ kind, name }: Pick<Address, "kind" | "name">, code: string): void {
    const review = reviewId({ server: this.#options.server, kind, name });
    this.#options.report({ is: "use-let-through", kind, name, code, review });
  }

  #refuseUse(id: Id, use: Pick<Address, "kind" | "name"> | undefined, code: string): void {
    const { server } = this.#options;
    const kind = use?.kind ?? "tool";
    const name = use?.name ?? "";
    const review = reviewId({ server, kind, name });
    this.#options.report({ is: "use-refused", kind, name, code, review });
    const data = `{"reason":"${code}","review":"${review}"}`;
    this.#fail(id, -32602, `withholds this ${kind}: ${code}; ask the user to review ${review}`, data);
  }

  #serverAnswer(frame: Extract<Frame, { is: "result" | "error" }>): void {
    if (this.#own.settle(frame.id.key, frame)) return;
    const pending = this.#hostRequests.get(frame.id.key);
    if (pending === undefined || pending.answered) {
      this.#options.report({ is: "unasked-answer", from: "server" });
      return;
    }
    pending.answered = true;
    if (!this.#answered) this.#options.report({ is: "answered" });
    this.#answered = true;
    if (pending.source === undefined && pending.body === undefined) this.#forget(frame.id.key);
    this.#listens.close(frame.id.key);
    if (frame.is === "error") {
      this.#forget(frame.id.key);
      this.#options.toHost(
        this.#known ? frame.text : `{"jsonrpc":"2.0","id":${pending.id.text},"error":${bareError(frame.error)}}`,
      );
      return;
    }
    if (pending.source !== undefined) this.#serve(frame, pending, pending.source);
    else if (pending.body !== undefined) {
      this.#serveBody(frame, pending.body).catch((error) => this.#broken(frame, error));
    } else if (!this.#known) {
      // Nothing of it can be in use yet, so the request was one that has nothing to say beside "done".
      this.#options.toHost(`{"jsonrpc":"2.0","id":${pending.id.text},"result":{"resultType":"complete"}}`);
    } else if (asksWhatMayNotPass(frame.result)) {
      this.#refuseAsking(pending.id);
    } else if (this.#accepted.size > 0 || memberOf(frame.result, "_meta") === undefined) {
      this.#options.toHost(withKnownServerInfo(frame, this.#options.server, this.#accepted));
    } else this.#withHandshake(frame);
  }

  /** A modern result repeats `serverInfo`; on a connection that saw no handshake, ours is what it is compared with. */
  #withHandshake(frame: ResultFrame): void {
    this.#learnInfo()
      .then(() => this.#options.toHost(withKnownServerInfo(frame, this.#options.server, this.#accepted)))
      .catch((error) => this.#broken(frame, error));
  }

  #serve(frame: ResultFrame, pending: Pending, source: Source): void {
    const serving = lists.has(source)
      ? this.#serveList(frame, source, pending.asked)
      : this.#serveHandshake(frame, source);
    serving
      .then((text) => {
        if (!this.#forget(pending.id.key)) return;
        this.#options.toHost(text);
        this.#options.report({ is: "listed", source });
      })
      .catch((error) => this.#broken(frame, error));
  }

  #refuseAsking(id: Id): void {
    this.#options.report({ is: "method-refused", from: "server", method: "inputRequests" });
    this.#fail(id, -32603, "refused the server's answer: it asks for what does not pass");
  }

  /** What stands behind a bound handle is bound by itself, or the host is told that it is withheld. */
  async #serveBody(frame: ResultFrame, body: StandingText): Promise<void> {
    if (asksWhatMayNotPass(frame.result)) {
      if (this.#forget(frame.id.key)) this.#refuseAsking(frame.id);
      return;
    }
    if (memberOf(frame.result, "_meta") !== undefined) await this.#learnInfo();
    const judged = await this.#bodies.judge(body, frame);
    if (!this.#forget(frame.id.key)) return;
    if ("code" in judged) {
      this.#refuseUse(frame.id, body, judged.code);
      return;
    }
    const [ruling] = judged.rulings;
    const code = ruling === undefined ? "NOT_OFFERED" : codeOf(ruling.reasons);
    const text = serveBody(frame, judged, this.#accepted);
    if (text === undefined) {
      this.#refuseUse(frame.id, body, code);
      return;
    }
    if (ruling !== undefined && isLetThrough(ruling)) this.#usedDespite(body, code);
    this.#options.toHost(text);
  }

  async #serveList(frame: ResultFrame, source: Source, asked: number): Promise<string> {
    if (this.#envelope !== undefined) await this.#learnInfo();
    const collected = await this.#offers.collect(source, frame, asked);
    if (collected.is === "failed") {
      const { code } = collected.failure;
      const data = `{"reason":"${code}"}`;
      return `{"jsonrpc":"2.0","id":${frame.id.text},"error":${errorText(-32603, `withholds this list: ${code}`, data)}}`;
    }
    const { offer, pages } = collected;
    const rulings = await this.#options.rule(offer);
    await this.#updateKnown();
    this.#view.show(source, rulings);
    return serveList(frame, pages, { offer, rulings }, this.#accepted);
  }

  async #serveHandshake(frame: ResultFrame, source: Source): Promise<string> {
    const reading = readOffer(this.#options.server, source, [{ text: frame.text, result: frame.result }]);
    if (reading.is === "refused") {
      this.#options.report({ is: "list-failed", source, code: reading.because.code });
      return `{"jsonrpc":"2.0","id":${frame.id.text},"error":${errorText(-32603, `withholds this server: ${reading.because.code}`)}}`;
    }
    const { offer } = reading;
    this.#offers.hold(offer, this.#offers.changes(source));
    if (source === "initialize" && this.#readiness.sayForHost()) {
      this.#options.toServer('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    }
    const loaded = this.#options.checkpoints.load ? await this.#load(frame.result) : [];
    const rulings = await this.#options.rule(offer);
    await this.#updateKnown();
    this.#accept({ offer, rulings });
    const withheld = withheldIn([...loaded, ...rulings]);
    const through = letThroughIn([...loaded, ...rulings]);
    if (withheld > 0) this.#options.report({ is: "withheld", count: withheld });
    if (through > 0) this.#options.report({ is: "let-through", count: through });
    return serveHandshake(frame, { offer, rulings }, noticeOf(this.#options.server, withheld));
  }

  /** Derives every list that the server says it has, and rules on it. */
  async #load(result: Json): Promise<readonly Ruling[]> {
    this.#loading++;
    try {
      return await this.#derive(result);
    } finally {
      this.#loading--;
    }
  }

  async #derive(result: Json): Promise<readonly Ruling[]> {
    const capabilities = memberOf(result, "capabilities");
    const declared = [...lists.keys()].filter(
      (source) => memberOf(capabilities, capabilityOf(source) ?? "") !== undefined,
    );
    const rulings = await Promise.all(
      declared.map(async (source) => {
        const derived = await this.#offers.derive(source);
        return derived.is === "failed" ? [] : this.#options.rule(derived.offer);
      }),
    );
    await this.#loadBodies();
    return rulings.flat();
  }

  /** So that one decision can be about all of a server. A slow one is not waited for: they are sighted when they come. */
  async #loadBodies(): Promise<void> {
    const derived = this.#bodies.derive().catch((error) => this.#options.report(brokenEvent("bodies", error)));
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#limits.bodiesBy);
    await Promise.race([derived, promise]);
    clearTimeout(timer);
  }

  #serverAsks(frame: Request): void {
    const refuse = (message: string) =>
      this.#options.toServer(`{"jsonrpc":"2.0","id":${frame.id.text},"error":${errorText(-32601, message)}}`);
    if (!serverMethods.has(frame.method)) {
      this.#options.report({ is: "method-refused", from: "server", method: frame.method });
      refuse("does not pass this method to the host");
    } else if (!this.#known && frame.method !== "ping" && frame.method !== "roots/list") {
      this.#options.report({ is: "not-approved-yet", method: frame.method });
      refuse("passes nothing of a server that is not approved");
    } else if (this.#serverRequests.has(frame.id.key)) {
      refuse("is still waiting for the answer to a request with this id");
    } else {
      this.#serverRequests.add(frame.id.key);
      // A bare request is made anew: an unapproved server's `params` may hold anything.
      this.#tell(this.#known ? frame.text : `{"jsonrpc":"2.0","id":${frame.id.text},"method":"${frame.method}"}`);
    }
  }

  #serverNotifies(frame: Notification): void {
    const uri = frame.method === "notifications/resources/updated" ? memberOf(frame.params, "uri") : undefined;
    if (uri?.is === "string" && textOfResource(uri.value) !== undefined) this.#bodies.changed();
    const changed = bareNotifications.get(frame.method);
    if (changed !== undefined) {
      for (const source of changed) this.#offers.wentStale(source);
      if (!changed.includes("tools/list")) this.#bodies.changed();
      if (this.#known) this.#tell(frame.text);
      else this.#tellChange(frame.method);
    } else if (!serverNotifications.has(frame.method)) {
      this.#options.report({ is: "method-refused", from: "server", method: frame.method });
    } else if (this.#known) {
      this.#tell(frame.text);
    } else {
      const bare = frame.method === acknowledged ? this.#listens.acknowledgement(frame) : undefined;
      if (bare === undefined) this.#options.report({ is: "not-approved-yet", method: frame.method });
      else this.#tell(bare);
    }
  }

  #tell(text: string): void {
    if (!this.#readiness.tell(text)) this.#options.report({ is: "not-ready-yet" });
  }

  #ask(method: string, params: readonly string[] = []) {
    return this.#own.ask(method, this.#envelope === undefined ? params : [...params, `"_meta":${this.#envelope}`]);
  }

  /** Learns which `serverInfo` may be repeated, where no handshake on this connection has said so. */
  async #learnInfo(): Promise<void> {
    if (this.#offers.has("server/discover") || this.#offers.has("initialize")) return;
    const answer = await this.#ask("server/discover");
    if (answer.is !== "result") return;
    const reading = readOffer(this.#options.server, "server/discover", [{ text: answer.text, result: answer.result }]);
    if (reading.is === "refused") return;
    this.#offers.hold(reading.offer, this.#offers.changes("server/discover"));
    this.#accept({ offer: reading.offer, rulings: await this.#options.rule(reading.offer) });
  }

  #accept(judged: Judged): void {
    const info = acceptedInfo(serverRendering(judged));
    this.#accepted = new Set(info === undefined ? [] : [info]);
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

  /** Tells the host, once, that what it was shown is no longer true. */
  #announce(source: Source): void {
    const method = changeOf(source);
    if (method === undefined) return;
    this.#view.told(source);
    this.#tellChange(method);
  }

  /** A modern host hears of changes only where it listens for them, an older one always. */
  #tellChange(method: string): void {
    if (this.#envelope === undefined) this.#tell(`{"jsonrpc":"2.0","method":"${method}"}`);
    for (const text of this.#listens.changes(method)) this.#tell(text);
  }

  #fail(id: Id, code: number, message: string, data?: string): void {
    this.#options.toHost(`{"jsonrpc":"2.0","id":${id.text},"error":${errorText(code, message, data)}}`);
  }

  #frameRefused(from: "host" | "server", { code, at }: FrameRefusal): void {
    this.#options.report({ is: "frame-refused", from, code, at });
  }

  #refuseHost(bytes: Uint8Array, code: FrameRefusal["code"]): void {
    const error = errorText(-32600, `refused this message: ${code}`);
    this.#options.toHost(`{"jsonrpc":"2.0","id":${guessId(bytes) ?? "null"},"error":${error}}`);
  }

  #failGuessed(bytes: Uint8Array, code: FrameRefusal["code"]): void {
    const id = guessId(bytes);
    if (id === undefined) return;
    if (this.#own.settle(id, { is: "none", code: "FRAME_REFUSED" })) return;
    const pending = this.#hostRequests.get(id);
    if (pending === undefined) return;
    this.#forget(id);
    this.#fail(pending.id, -32603, `refused the server's answer: ${code}`, `{"reason":"${code}"}`);
  }

  /** The ledger, a gate or this guard failed. Whoever asked gets an error; nothing passes. */
  #broken(frame: Frame, error: unknown): void {
    if (this.#closed) return; // nobody waits any more, and the ledger may be closed as well
    this.#options.report(brokenEvent(frame.is, error));
    if (frame.is === "notification") return;
    const waits = this.#forget(frame.id.key);
    // Of an answer that could not be judged: whoever waited for it may have been told already, or have cancelled.
    if (frame.is === "request" || waits) this.#fail(frame.id, -32603, "could not judge this, so it is withheld");
  }
}

/** What a modern host waits for before it believes that it is listening. */
const acknowledged = "notifications/subscriptions/acknowledged";

function brokenEvent(what: string, error: unknown): WireEvent {
  return { is: "broken", what, error: error instanceof Error ? error.message : String(error) };
}
