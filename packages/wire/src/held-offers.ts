import { lists, type Offer, type ServerName, type Source } from "@countersign/core";
import { type Collected, collectOffer, failureOf } from "./collect-offer.ts";
import { type Asked, dueAt, freshUntil, isLater, isWithin, type Lifetime } from "./freshness.ts";
import type { Answer } from "./own-requests.ts";
import type { Repeats } from "./repeats.ts";
import type { ResultFrame } from "./serve.ts";
import type { ListFailure, WireEvent } from "./wire-event.ts";

export interface HeldOffersOptions {
  readonly server: ServerName;
  readonly limits: { readonly pages: number; readonly definitions: number };
  readonly repeats: Repeats;
  /** Whether the guard asks by itself for what went stale. Whoever relies on it asks in any case. */
  readonly change: boolean;
  /** Milliseconds after which a list is stale though nobody has said that it changed. */
  readonly maxAge: number | undefined;
  readonly ask: (source: Source, params: readonly string[]) => Promise<Answer>;
  /** The guard has asked for a list because it had changed or was too old. */
  readonly changed: (offer: Offer) => Promise<unknown>;
  /** The guard has asked for a list that it held, and could not have it whole now. */
  readonly lost: (source: Source) => void;
  readonly report: (event: WireEvent) => void;
  readonly broken: (what: string, error: unknown) => void;
}

interface Held {
  readonly offer: Offer;
  readonly asked: Asked;
  readonly lifetime: Lifetime;
}

/** What the server of one connection offers, list by list, as far as anybody has asked. */
export class HeldOffers {
  readonly #options: HeldOffersOptions;
  readonly #offers = new Map<Source, Held>();
  readonly #deriving = new Map<Source, { readonly asked: Asked; readonly derivation: Promise<Collected> }>();
  /** How often each list was said to have changed. What was asked for before the last time tells nothing about now. */
  readonly #changes = new Map<Source, number>();
  readonly #timers = new Map<Source, { readonly due: number; readonly timer: NodeJS.Timeout }>();
  #turn = 0;
  #closed = false;

  constructor(options: HeldOffersOptions) {
    this.#options = options;
  }

  has(source: Source): boolean {
    return this.#offers.has(source);
  }

  *[Symbol.iterator](): Generator<readonly [Source, Offer]> {
    for (const [source, { offer }] of this.#offers) yield [source, offer];
  }

  /** Whoever asks for a list by themselves keeps this with the request. */
  asks(source: Source): Asked {
    return { changes: this.#changes.get(source) ?? 0, turn: ++this.#turn, at: Date.now() };
  }

  /** @param ttl milliseconds that the server lets it be kept */
  hold(offer: Offer, asked: Asked, ttl: number | undefined): void {
    const { source } = offer;
    const before = this.#offers.get(source);
    if (before !== undefined && isLater(before.asked, asked)) return;
    const lifetime = lists.has(source) ? { maxAge: this.#options.maxAge, ttl } : forEver;
    const held = { offer, asked, lifetime };
    this.#offers.set(source, held);
    if (this.#hasChangedSince(source, asked)) this.#deriveSoon(source);
    else this.#deriveAt(source, dueAt(asked, lifetime));
  }

  /** The list as it was derived last, unless it changed since it was asked for, as far as anybody says, or is too old. */
  fresh(source: Source): Offer | undefined {
    const held = this.#offers.get(source);
    if (held === undefined || this.#hasChangedSince(source, held.asked)) return undefined;
    return isWithin(held.asked, freshUntil(held.asked, held.lifetime), Date.now()) ? held.offer : undefined;
  }

  /**
   * The whole list by requests of the guard's own. Several who ask at once share one derivation, but none that was begun
   * before the list changed. A change while it runs leaves it stale, and whoever asked has what was true when they asked.
   *
   * @param share false for one that begins now, whatever runs already
   */
  derive(source: Source, share = true): Promise<Collected> {
    const running = this.#deriving.get(source);
    if (share && running !== undefined && !this.#hasChangedSince(source, running.asked)) return running.derivation;
    const asked = this.asks(source);
    const derivation = this.#options
      .ask(source, [])
      .then((first) =>
        first.is === "result" ? this.collect(source, first, asked) : this.#fail(source, failureOf(first), asked),
      )
      .then((collected) => {
        if (collected.is === "failed" && !this.has(source)) this.#options.lost(source);
        return collected;
      })
      .finally(() => {
        if (this.#deriving.get(source)?.derivation === derivation) this.#deriving.delete(source);
      });
    this.#deriving.set(source, { asked, derivation });
    return derivation;
  }

  /**
   * The whole list that begins with a page which the server has sent.
   *
   * @param asked from when that page was asked for
   */
  async collect(source: Source, first: ResultFrame, asked: Asked): Promise<Collected> {
    const { server, limits, ask, repeats } = this.#options;
    const next = (cursor: string) => ask(source, [`"cursor":${cursor}`]);
    const collected = await collectOffer(first, { server, source, next, limits, repeats });
    if (collected.is === "failed") return this.#fail(source, collected.failure, asked);
    this.hold(collected.offer, asked, collected.ttl);
    return collected;
  }

  /** Something said that this list changed. */
  wentStale(source: Source): void {
    this.#changes.set(source, (this.#changes.get(source) ?? 0) + 1);
    if (this.#offers.has(source)) this.#deriveSoon(source);
  }

  close(): void {
    this.#closed = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #hasChangedSince(source: Source, { changes }: Asked): boolean {
    return changes < (this.#changes.get(source) ?? 0);
  }

  /** A host that does not ask again would never see the change, nor would a reviewer: after a while the guard asks by itself. */
  #deriveSoon(source: Source): void {
    this.#deriveAt(source, Date.now() + 1_000);
  }

  #deriveAt(source: Source, due: number): void {
    if (this.#closed || !this.#options.change || !Number.isFinite(due)) return;
    const planned = this.#timers.get(source);
    if (planned !== undefined && planned.due <= due) return;
    clearTimeout(planned?.timer);
    const timer = setTimeout(
      () => {
        this.#timers.delete(source);
        this.#deriveIfStale(source);
      },
      Math.max(0, Math.min(due - Date.now(), longest)),
    );
    timer.unref();
    this.#timers.set(source, { due, timer });
  }

  #deriveIfStale(source: Source): void {
    const held = this.#offers.get(source);
    // What runs already comes back here when it is held and stale.
    if (this.#deriving.has(source) || held === undefined) return;
    const due = dueAt(held.asked, held.lifetime);
    if (!this.#hasChangedSince(source, held.asked) && isWithin(held.asked, due, Date.now())) {
      this.#deriveAt(source, due);
      return;
    }
    this.derive(source)
      .then((derived) => (derived.is === "offer" ? this.#options.changed(derived.offer) : undefined))
      .catch((error) => this.#options.broken(source, error));
  }

  /** No list is better than one of yesterday: calls find nothing until the server gives a whole one again. */
  #fail(source: Source, failure: ListFailure, asked: Asked): Collected {
    const held = this.#offers.get(source);
    if (held === undefined || !isLater(held.asked, asked)) this.#offers.delete(source);
    this.#options.report({ is: "list-failed", source, code: failure.code });
    return { is: "failed", failure };
  }
}

/** A handshake is not asked for again on its connection. */
const forEver: Lifetime = { maxAge: undefined, ttl: undefined };

/** Milliseconds; a timer of Node's holds no more than 24.8 days. */
const longest = 86_400_000;
