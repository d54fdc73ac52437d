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
  readonly #offers = new Map<Source, { readonly offer: Offer; stale: boolean }>();
  readonly #deriving = new Map<Source, Promise<Collected>>();
  readonly #changes = new Map<Source, NodeJS.Timeout>();

  constructor(options: HeldOffersOptions) {
    this.#options = options;
  }

  has(source: Source): boolean {
    return this.#offers.has(source);
  }

  *[Symbol.iterator](): Generator<readonly [Source, Offer]> {
    for (const [source, { offer }] of this.#offers) yield [source, offer];
  }

  hold(offer: Offer): void {
    this.#offers.set(offer.source, { offer, stale: false });
  }

  /** The list as it was derived last, unless something has said since that it changed. */
  fresh(source: Source): Offer | undefined {
    const held = this.#offers.get(source);
    return held === undefined || held.stale ? undefined : held.offer;
  }

  /** The whole list by requests of the guard's own. Several who ask at once share one derivation. */
  derive(source: Source): Promise<Collected> {
    const running = this.#deriving.get(source);
    if (running !== undefined) return running;
    const derivation = this.#options
      .ask(source, [])
      .then((first) => (first.is === "result" ? this.collect(source, first) : this.#fail(source, failureOf(first))))
      .finally(() => this.#deriving.delete(source));
    this.#deriving.set(source, derivation);
    return derivation;
  }

  /** The whole list that begins with a page which the server has sent. */
  async collect(source: Source, first: ResultFrame): Promise<Collected> {
    const { server, limits, ask, repeats } = this.#options;
    const next = (cursor: string) => ask(source, [`"cursor":${cursor}`]);
    const collected = await collectOffer(first, { server, source, next, limits, repeats });
    if (collected.is === "failed") return this.#fail(source, collected.failure);
    this.hold(collected.offer);
    return collected;
  }

  /** A host that does not ask again would never see the change, nor would a reviewer: after a while the guard asks by itself. */
  wentStale(source: Source): void {
    const held = this.#offers.get(source);
    if (held === undefined) return;
    held.stale = true;
    if (this.#changes.has(source)) return;
    const timer = setTimeout(() => {
      this.#changes.delete(source);
      if (this.#offers.get(source)?.stale !== true) return;
      this.derive(source)
        .then((derived) => (derived.is === "offer" ? this.#options.rule(derived.offer) : undefined))
        .catch((error) => this.#options.broken(source, error));
    }, 1_000);
    timer.unref();
    this.#changes.set(source, timer);
  }

  close(): void {
    for (const timer of this.#changes.values()) clearTimeout(timer);
    this.#changes.clear();
  }

  /** No list is better than one of yesterday: calls find nothing until the server gives a whole one again. */
  #fail(source: Source, failure: ListFailure): Collected {
    this.#offers.delete(source);
    this.#options.report({ is: "list-failed", source, code: failure.code });
    return { is: "failed", failure };
  }
}
