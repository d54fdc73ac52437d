import type { Offer, Ruling, ServerName, Source } from "@countersign/core";
import { type Collected, collectOffer, failureOf } from "./collect-offer.ts";
import type { Answer } from "./own-requests.ts";
import type { Repeats } from "./repeats.ts";
import type { ResultFrame } from "./serve.ts";
import type { ListFailure, WireEvent } from "./wire-event.ts";

export interface HeldOffersOptions {
  readonly server: ServerName;
  readonly limits: { readonly pages: number; readonly definitions: number };
  readonly repeats: Repeats;
  readonly ask: (source: Source, params: readonly string[]) => Promise<Answer>;
  readonly rule: (offer: Offer) => Promise<readonly Ruling[]>;
  readonly report: (event: WireEvent) => void;
  readonly broken: (what: string, error: unknown) => void;
}

/** What the server of one connection offers, list by list, as far as anybody has asked. */
export class HeldOffers {
  readonly #options: HeldOffersOptions;
  readonly #offers = new Map<Source, { readonly offer: Offer; readonly asked: number }>();
  readonly #deriving = new Map<Source, { readonly asked: number; readonly derivation: Promise<Collected> }>();
  /** How often each list was said to have changed. What was asked for before the last time tells nothing about now. */
  readonly #changes = new Map<Source, number>();
  readonly #timers = new Map<Source, NodeJS.Timeout>();
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

  /** How often this list has changed by now; whoever asks for it keeps this with the request. */
  changes(source: Source): number {
    return this.#changes.get(source) ?? 0;
  }

  /** @param asked `changes` when the first page was asked for */
  hold(offer: Offer, asked: number): void {
    const { source } = offer;
    const held = this.#offers.get(source);
    if (held !== undefined && held.asked > asked) return;
    this.#offers.set(source, { offer, asked });
    if (asked < this.changes(source)) this.#deriveSoon(source);
  }

  /** The list as it was derived last, unless something has said since it was asked for that it changed. */
  fresh(source: Source): Offer | undefined {
    const held = this.#offers.get(source);
    return held === undefined || held.asked < this.changes(source) ? undefined : held.offer;
  }

  /**
   * The whole list by requests of the guard's own. Several who ask at once share one derivation, but none that was begun
   * before the list changed. A change while it runs leaves it stale, and whoever asked has what was true when they asked.
   *
   * @param share false for one that begins now, whatever runs already
   */
  derive(source: Source, share = true): Promise<Collected> {
    const asked = this.changes(source);
    const running = this.#deriving.get(source);
    if (share && running?.asked === asked) return running.derivation;
    const derivation = this.#options
      .ask(source, [])
      .then((first) =>
        first.is === "result" ? this.collect(source, first, asked) : this.#fail(source, failureOf(first), asked),
      )
      .finally(() => {
        if (this.#deriving.get(source)?.derivation === derivation) this.#deriving.delete(source);
      });
    this.#deriving.set(source, { asked, derivation });
    return derivation;
  }

  /**
   * The whole list that begins with a page which the server has sent.
   *
   * @param asked `changes` when that page was asked for
   */
  async collect(source: Source, first: ResultFrame, asked: number): Promise<Collected> {
    const { server, limits, ask, repeats } = this.#options;
    const next = (cursor: string) => ask(source, [`"cursor":${cursor}`]);
    const collected = await collectOffer(first, { server, source, next, limits, repeats });
    if (collected.is === "failed") return this.#fail(source, collected.failure, asked);
    this.hold(collected.offer, asked);
    return collected;
  }

  /** Something said that this list changed. */
  wentStale(source: Source): void {
    this.#changes.set(source, this.changes(source) + 1);
    if (this.#offers.has(source)) this.#deriveSoon(source);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** A host that does not ask again would never see the change, nor would a reviewer: after a while the guard asks by itself. */
  #deriveSoon(source: Source): void {
    if (this.#closed || this.#timers.has(source)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(source);
      // What runs already comes back here when it is held and stale.
      if (this.#deriving.has(source) || !this.#offers.has(source) || this.fresh(source) !== undefined) return;
      this.derive(source)
        .then((derived) => (derived.is === "offer" ? this.#options.rule(derived.offer) : undefined))
        .catch((error) => this.#options.broken(source, error));
    }, 1_000);
    timer.unref();
    this.#timers.set(source, timer);
  }

  /** No list is better than one of yesterday: calls find nothing until the server gives a whole one again. */
  #fail(source: Source, failure: ListFailure, asked: number): Collected {
    const held = this.#offers.get(source);
    if (held === undefined || held.asked <= asked) this.#offers.delete(source);
    this.#options.report({ is: "list-failed", source, code: failure.code });
    return { is: "failed", failure };
  }
}
