import {
  type Json,
  lists,
  memberOf,
  type Offer,
  type Ruling,
  readOffer,
  type ServerName,
  type Source,
} from "@countersign/core";
import { asAsked } from "./as-asked.ts";
import { errorText } from "./error-text.ts";
import type { Id } from "./frame.ts";
import type { HeldOffers } from "./held-offers.ts";
import { capabilityOf } from "./methods.ts";
import type { Answer } from "./own-requests.ts";
import { acceptedInfo, type Judged, type ResultFrame, serveHandshake, serverRendering } from "./serve.ts";
import type { Checkpoint, WireEvent } from "./wire-event.ts";
import { letThroughIn, noticeOf, withheldIn } from "./withheld.ts";

export interface HandshakeOptions {
  readonly server: ServerName;
  readonly offers: HeldOffers;
  /** Rules on what was had just now. */
  readonly verify: (offer: Offer, by: Checkpoint) => Promise<readonly Ruling[]>;
  readonly ask: (source: Source) => Promise<Answer>;
  /** The server has answered; nothing else was asked of it yet. */
  readonly answered: (source: Source) => void;
  /** Asks for what stands behind the lists, so that one decision can be about all of a server. */
  readonly loadBodies: () => Promise<void>;
  /** The host has its answer, and a list is still to come. */
  readonly late: (source: Source) => void;
  readonly report: (event: WireEvent) => void;
  readonly broken: (what: string, error: unknown) => void;
  /** Whether every list is derived first. */
  readonly load: boolean;
  /** Milliseconds that an answer waits for what the guard asks the server beside it. */
  readonly patience: number;
}

/** How the server of one connection presents itself, and what of that a host may be told. */
export class Handshake {
  readonly #options: HandshakeOptions;
  #accepted: ReadonlySet<string> = new Set();
  #learnt: Promise<void> | undefined;
  /** The answer to the first `initialize`; undefined where none came in time, or an error. */
  #shaken: Promise<ResultFrame | undefined> | undefined;
  #shake: (frame: ResultFrame | undefined) => void = () => undefined;
  /** Handshakes for which everything is being derived. */
  #loading = 0;

  constructor(options: HandshakeOptions) {
    this.#options = options;
  }

  /** Canonical forms of the `serverInfo` that a result may repeat. */
  get accepted(): ReadonlySet<string> {
    return this.#accepted;
  }

  /** Whether everything that goes with a handshake is being derived. */
  get loading(): boolean {
    return this.#loading > 0;
  }

  accept(judged: Judged): void {
    const info = acceptedInfo(serverRendering(judged));
    this.#accepted = new Set(info === undefined ? [] : [info]);
  }

  /**
   * The answer to an `initialize` of another host of the same connection: a server shakes hands once. Undefined where it
   * has not yet; then this host is to ask, and others wait for that for a while.
   */
  async again(id: Id): Promise<string | undefined> {
    const frame = await this.#shaken;
    if (frame !== undefined) return this.#present(asAsked(frame, id), "initialize", false);
    const { promise, resolve } = Promise.withResolvers<ResultFrame | undefined>();
    const timer = setTimeout(() => resolve(undefined), 2 * this.#options.patience);
    this.#shaken = promise;
    this.#shake = (given) => {
      clearTimeout(timer);
      resolve(given);
    };
    return undefined;
  }

  /** The server has answered `initialize` with an error. */
  failed(): void {
    this.#shake(undefined);
  }

  /** The host's answer to `initialize` or `server/discover`, when the lists are known or have taken too long. */
  async serve(frame: ResultFrame, source: Source): Promise<string> {
    try {
      const text = await this.#present(frame, source, true);
      this.#shake(frame);
      return text;
    } finally {
      this.#shake(undefined);
    }
  }

  async #present(frame: ResultFrame, source: Source, first: boolean): Promise<string> {
    const { server, offers, verify, report, load } = this.#options;
    const reading = readOffer(server, source, [frame.page]);
    if (reading.is === "refused") {
      report({ is: "list-failed", source, code: reading.because.code });
      return `{"jsonrpc":"2.0","id":${frame.id.text},"error":${errorText(-32603, `withholds this server: ${reading.because.code}`)}}`;
    }
    const { offer } = reading;
    offers.hold(offer, offers.asks(source), undefined);
    if (first) this.#options.answered(source);
    const loaded = load ? await this.#loaded(declaredIn(frame.page.result), first) : { rulings: [], late: [] };
    const rulings = await verify(offer, "session");
    this.accept({ offer, rulings });
    const withheld = withheldIn([...loaded.rulings, ...rulings]);
    const through = letThroughIn([...loaded.rulings, ...rulings]);
    if (withheld > 0) report({ is: "withheld", count: withheld });
    if (through > 0) report({ is: "let-through", count: through });
    return serveHandshake(frame, { offer, rulings }, noticeOf(server, { withheld, late: loaded.late }));
  }

  /** Learns which `serverInfo` may be repeated, where no handshake on this connection has said so. */
  async learn(): Promise<void> {
    const { offers } = this.#options;
    if (offers.has("server/discover") || offers.has("initialize")) return;
    this.#learnt ??= this.#learnInTime();
    await this.#learnt;
  }

  /** Once for each connection, unless the ledger failed: a server that does not say has the operator's name. */
  async #learnInTime(): Promise<void> {
    const { patience, broken } = this.#options;
    const discovery = this.#discover();
    try {
      if (!(await inTime(discovery, patience))) discovery.catch((error) => broken("server/discover", error));
    } catch (error) {
      this.#learnt = undefined;
      throw error;
    }
  }

  async #discover(): Promise<void> {
    const { server, offers, ask, verify } = this.#options;
    const asked = offers.asks("server/discover");
    const answer = await ask("server/discover");
    if (answer.is !== "result") return;
    const reading = readOffer(server, "server/discover", [answer.page]);
    if (reading.is === "refused") return;
    offers.hold(reading.offer, asked, undefined);
    this.accept({ offer: reading.offer, rulings: await verify(reading.offer, "session") });
  }

  async #loaded(
    sources: readonly Source[],
    first: boolean,
  ): Promise<{ rulings: readonly Ruling[]; late: readonly Source[] }> {
    this.#loading++;
    try {
      return await this.#load(sources, first);
    } finally {
      this.#loading--;
    }
  }

  /** Derives lists and what stands behind them, and rules on them. What is late goes on, and the host hears of it when it is there. */
  async #load(
    sources: readonly Source[],
    first: boolean,
  ): Promise<{ rulings: readonly Ruling[]; late: readonly Source[] }> {
    const { offers, verify, patience, late, report, broken } = this.#options;
    const rulings = new Map<Source, readonly Ruling[]>();
    const loading = Promise.all(
      sources.map(async (source) => {
        // For another host of the connection the list is there already.
        const held = first ? undefined : offers.fresh(source);
        const derived = held === undefined ? await offers.derive(source) : { is: "offer" as const, offer: held };
        rulings.set(source, derived.is === "failed" ? [] : await verify(derived.offer, "load"));
      }),
    ).then(() => (first ? this.#options.loadBodies() : undefined));
    if (await inTime(loading, patience)) return { rulings: [...rulings.values()].flat(), late: [] };
    loading.catch((error) => broken("load", error));
    const missing = sources.filter((source) => !rulings.has(source));
    for (const source of missing) late(source);
    report({ is: "lists-late", sources: missing, seconds: patience / 1_000 });
    return { rulings: [...rulings.values()].flat(), late: missing };
  }
}

/** The lists that the server says it has. */
function declaredIn(result: Json): readonly Source[] {
  const capabilities = memberOf(result, "capabilities");
  return [...lists.keys()].filter((source) => memberOf(capabilities, capabilityOf(source) ?? "") !== undefined);
}

/** Whether it came within so many milliseconds. What is late goes on. */
async function inTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
