import type { IncomingMessage, ServerResponse } from "node:http";
import { type Digest, decodeUtf8, launchStanding, type Offer, type ServerName, stdioLaunch } from "@countersign/core";
import type { Ledger } from "@countersign/ledger";
import { reviewId, type WireEvent } from "@countersign/wire";
import {
  type EndpointLimits,
  type Era,
  HostConnection,
  HostEndpoint,
  type LetIn,
  processSide,
  remoteSide,
  type ServerSide,
  type Unconnected,
} from "@countersign/wire/http";
import { anonymous } from "../access/principal.ts";
import type { ServerSettings } from "../config.ts";
import { freshNonce, type GuardByLedger, guardByLedger, reachedBy } from "../guard-by-ledger.ts";
import { letThroughNow } from "../let-through-now.ts";
import { sight } from "../sight.ts";
import { watchLedger } from "../watch-ledger.ts";
import { BackOff } from "./back-off.ts";
import type { ChildEnd, GatewayEvent, HostRequest } from "./gateway-event.ts";
import type { Reached } from "./reached.ts";
import { toldRulings } from "./told-rulings.ts";

export interface ServedServerOptions {
  readonly server: ServerName;
  readonly reached: Reached;
  readonly ledger: Ledger;
  readonly settings: ServerSettings;
  readonly limits: EndpointLimits;
  readonly report: (event: GatewayEvent) => void;
  /** One line that the server wrote to stderr, as it is. */
  readonly stderr: (line: string) => void;
}

/** Who is let in at the endpoint of a server. */
export interface Admitted extends LetIn {
  /** `Principal.id`. */
  readonly principal: string;
  /** The token that came, where the server is marked for it. */
  readonly bearer?: string | undefined;
}

/** A connection, and how many use it. */
interface Shared {
  readonly connection: Promise<HostConnection | Unconnected>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** One server behind the gateway, for all principals that may use it. */
export class ServedServer {
  readonly #options: ServedServerOptions;
  /** By `Principal.id`. */
  readonly #callers = new Map<string, Caller>();
  /** What rules on the connections of one principal, and of all strangers; by how the server was reached then. */
  readonly #guards = new Map<string | undefined, { readonly launch: Digest; readonly guard: GuardByLedger }>();
  /** Of a server whose processes are shared: by whom they are shared, and the era. */
  readonly #shared = new Map<string, Shared>();
  readonly #open = new Map<HostConnection, Opened>();
  readonly #backOff = new BackOff();
  readonly #sweep: NodeJS.Timeout;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;
  #isCrowded = false;

  constructor(options: ServedServerOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.#forgetIdle(), 60_000).unref();
  }

  async handle(request: IncomingMessage, response: ServerResponse, admitted: Admitted): Promise<void> {
    const { principal, bearer } = admitted;
    const caller = this.#caller(principal);
    caller.used = performance.now();
    // The last that came: tokens are renewed while a session lasts.
    if (bearer !== undefined) caller.bearer = bearer;
    await caller.endpoint.handle(request, response, admitted);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    clearInterval(this.#sweep);
    await Promise.all([...this.#callers.values()].map(({ endpoint }) => endpoint.close()));
    for (const { idle } of this.#shared.values()) clearTimeout(idle);
    await Promise.all([...this.#open.values()].map(({ side }) => side.close()));
  }

  /** Principals may be many, and few of them there at a time. */
  #forgetIdle(): void {
    for (const [principal, { endpoint, used }] of this.#callers) {
      if (!endpoint.isIdle || performance.now() - used < forgottenAfter) continue;
      this.#callers.delete(principal);
      this.#guards.delete(principal);
      endpoint.close().catch((error) => this.#broken("close", principal, error));
    }
  }

  #caller(principal: string): Caller {
    const known = this.#callers.get(principal);
    if (known !== undefined) return known;
    const { server, report, limits } = this.#options;
    const endpoint = new HostEndpoint({
      server,
      limits,
      connect: (era) => this.#connect(principal, era),
      release: (connection) => this.#release(connection),
      report: (event) => report({ is: "wire", server, principal, event }),
      opened: () => report({ is: "session-opened", server, principal }),
      closed: (by) => report({ is: "session-closed", server, principal, by }),
      watch: (watched) => {
        const request: HostRequest = { server, principal, began: performance.now(), ...watched };
        report({ is: "request-began", request });
        return {
          passed: (tool) => report({ is: "request-passed", request, ...(tool === undefined ? {} : { tool }) }),
          ended: (outcome) => report({ is: "request-ended", request, outcome }),
        };
      },
      streams: (by) => report({ is: by > 0 ? "stream-opened" : "stream-closed", server }),
      turnedAway: (code) => report({ is: "turned-away", server, code }),
    });
    const caller = { endpoint, used: performance.now() };
    this.#callers.set(principal, caller);
    return caller;
  }

  /** A connection of its own, or one that it may share. */
  async #connect(principal: string, era: Era): Promise<HostConnection | Unconnected> {
    const { reached } = this.#options;
    if (reached.is === "http" || reached.share === "session") return this.#opened(principal, era, false);
    const key = reached.share === "principal" ? `${era} ${principal}` : era;
    const running = this.#shared.get(key);
    if (running !== undefined) {
      clearTimeout(running.idle);
      running.users++;
      return running.connection;
    }
    const strangers = reached.share === "everyone";
    const connection = this.#opened(strangers ? undefined : principal, era, strangers);
    const shared: Shared = { connection, users: 1, idle: undefined };
    this.#shared.set(key, shared);
    const forget = () => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
    };
    connection.then((one) => {
      const opened = "reason" in one ? undefined : this.#open.get(one);
      if (opened === undefined) forget();
      else {
        opened.shared = shared;
        opened.whenOver = forget;
      }
    }, forget);
    return connection;
  }

  #release(connection: HostConnection): void {
    const opened = this.#open.get(connection);
    if (opened === undefined) return;
    const { shared } = opened;
    if (shared === undefined) void this.#close(opened);
    // Another host may come soon, and would have to wait for a start.
    else if (--shared.users === 0) shared.idle = setTimeout(() => void this.#close(opened), idleFor).unref();
  }

  async #close(opened: Opened): Promise<void> {
    try {
      await opened.side.close();
    } catch (error) {
      this.#broken("close", opened.principal, error);
    } finally {
      this.#over(opened);
    }
  }

  #over(opened: Opened): void {
    if (!this.#open.delete(opened.connection)) return;
    opened.whenOver?.();
    for (const { endpoint } of this.#callers.values()) endpoint.gone(opened.connection);
    opened.connection.close();
  }

  async #opened(principal: string | undefined, era: Era, strangers: boolean): Promise<HostConnection | Unconnected> {
    const { server, reached, report } = this.#options;
    if (this.#closed) return { reason: "DRAINING" };
    const wait = this.#backOff.wait(performance.now());
    if (wait > 0) {
      const again = Math.ceil(wait / 1_000);
      report({ is: "child-backs-off", server, seconds: again });
      return { reason: "ENDED_TOO_OFTEN", again };
    }
    const bearer = () => (principal === undefined ? undefined : this.#callers.get(principal)?.bearer);
    const now = await reached.now(bearer);
    if (now.is === "impossible") {
      report({ is: "unreachable", server, problems: now.problems });
      return { reason: "NOT_CONFIGURED" };
    }
    const { launch } = now.value;
    const held = await this.#held(launch);
    if (held !== undefined) return held;
    // Meanwhile all may have ended, and nobody would end what is started now.
    if (this.#closed) return { reason: "DRAINING" };
    this.#watchFrom(launch);
    const tell = (event: WireEvent) => report({ is: "wire", server, principal: principal ?? "everyone", event });
    const connection = new HostConnection({
      era,
      strangers,
      dropped: () => this.#dropped(principal),
      cut: (code) => tell({ is: "cut-off", code }),
    });
    const guard = { ...this.#guard(launch, principal), nonce: freshNonce(), report: tell };
    const opened = { connection, principal };
    if ("remote" in now.value) {
      const side = remoteSide({
        guard,
        hosts: connection,
        remote: now.value.remote,
        failed: (code) => report({ is: "upstream-failed", server, code }),
      });
      connection.attach(side);
      this.#open.set(connection, { ...opened, side });
      return connection;
    }
    const started = performance.now();
    const side = processSide({
      guard,
      hosts: connection,
      command: now.value.command,
      stderrLine: (bytes) => this.#options.stderr(decodeUtf8(bytes) ?? bytes.toString("latin1")),
      grace: 2_000,
    });
    connection.attach(side);
    const running = { ...opened, side };
    this.#open.set(connection, running);
    report({ is: "child-started", server });
    void side.ended.then((ending) => {
      // Whoever closes it has taken it from what is open before.
      const byItself = !side.isClosing();
      if (byItself) this.#backOff.ended(performance.now() - started, performance.now());
      report({ is: "child-ended", server, how: byItself ? endOf(ending.is) : "stopped" });
      this.#over(running);
    });
    return connection;
  }

  /** One for all connections of a principal: what it has ruled on for one need not be ruled on for the next. */
  #guard(launch: Offer, principal: string | undefined): GuardByLedger {
    const { server, ledger, settings, report } = this.#options;
    const known = this.#guards.get(principal);
    if (known?.launch === launch.digest) return known.guard;
    const byLedger = guardByLedger(ledger, launch, settings, ofItsOwn(principal), () => this.#crowded());
    const rule = toldRulings(server, byLedger.rule, (standings) => report({ is: "ruled", ...standings }));
    const guard = { ...byLedger, rule };
    this.#guards.set(principal, { launch: launch.digest, guard });
    return guard;
  }

  /** Not reached as it was approved to be, or decided against: nothing of it is started or asked. */
  async #held(launch: Offer): Promise<Unconnected | undefined> {
    const { server, ledger, settings, report } = this.#options;
    const snapshot = await reachedBy(ledger, launch);
    if (launchStanding(snapshot) !== "held" || letThroughNow(settings.mode, snapshot) !== undefined) return undefined;
    await sight(ledger, launch);
    const [{ address } = { address: { server, ...stdioLaunch } }] = launch.definitions;
    const review = reviewId(address);
    report({ is: "launch-held", server, review });
    return { reason: "LAUNCH_CHANGED", review };
  }

  #watchFrom(launch: Offer): void {
    const { server, ledger, settings, report } = this.#options;
    this.#watch ??= watchLedger({
      snapshot: () => reachedBy(ledger, launch),
      mode: settings.mode,
      changed: async () => {
        for (const { side } of this.#open.values()) await side.guard.refresh();
      },
      report: (event) => report({ is: "ledger", server, event }),
    });
  }

  /** Said once: it is so until somebody makes room. */
  #crowded(): void {
    if (this.#isCrowded) return;
    this.#isCrowded = true;
    const { server, report } = this.#options;
    report({ is: "too-many-principals", server });
  }

  #dropped(principal: string | undefined): void {
    const { server, report } = this.#options;
    report({ is: "wire", server, principal: principal ?? "everyone", event: { is: "not-ready-yet" } });
  }

  #broken(what: string, principal: string | undefined, error: unknown): void {
    const { server, report } = this.#options;
    const text = error instanceof Error ? error.message : String(error);
    report({ is: "wire", server, principal: principal ?? "everyone", event: { is: "broken", what, error: text } });
  }
}

/** Somebody who may use the server. */
interface Caller {
  readonly endpoint: HostEndpoint;
  /** When it was called last, by `performance.now()`. */
  used: number;
  bearer?: string;
}

interface Opened {
  readonly connection: HostConnection;
  readonly side: ServerSide;
  readonly principal: string | undefined;
  shared?: Shared;
  whenOver?: () => void;
}

/** Whoever calls without a credential is anybody. */
function ofItsOwn(principal: string | undefined): string | undefined {
  return principal === anonymous ? undefined : principal;
}

function endOf(is: "exited" | "killed" | "not-started"): ChildEnd {
  return is;
}

/** Milliseconds. */
const forgottenAfter = 600_000;

/** Milliseconds that a process without a host is kept. */
const idleFor = 60_000;
