import type { Ruling, Source } from "@countersign/core";
import type { Frame } from "./frame.ts";
import type { About, Via } from "./guard-options.ts";
import { HostReadiness } from "./host-readiness.ts";
import { HostView } from "./host-view.ts";
import { Listens } from "./listens.ts";
import { changeOf } from "./methods.ts";
import { type Splice, spliced } from "./splice.ts";

export interface ChangeNoticesOptions {
  readonly toHost: (text: string, about: About) => void;
  /** The host is not ready, and too much waits for it already. */
  readonly dropped: () => void;
  /** A newer host hears of changes only on the streams that it listens on. */
  readonly isModern: () => boolean;
}

/** What the host is told without having asked: above all that a list is no longer what it was given, once of each state. */
export class ChangeNotices {
  readonly view = new HostView();
  readonly listens = new Listens();
  readonly readiness: HostReadiness;
  readonly #options: ChangeNoticesOptions;

  constructor(options: ChangeNoticesOptions) {
    this.#options = options;
    this.readiness = new HostReadiness(options.toHost);
  }

  tell(text: string, about: About): void {
    if (!this.readiness.tell(text, about)) this.#options.dropped();
  }

  /** What the server tells, but for what is replaced in it, on the stream that it is told on. */
  tellOf(frame: Extract<Frame, { is: "notification" }>, via: Via | undefined, splices: readonly Splice[] = []): void {
    const { text = spliced(frame.text, splices), request } = this.listens.onStream(frame, splices) ?? {};
    this.tell(text, { ...(request === undefined ? {} : { request }), answers: "no", method: frame.method, via });
  }

  /** Tells the host, once, of every list that is no longer what it was given. */
  compare(ruled: readonly (readonly [Source, readonly Ruling[] | undefined])[]): void {
    const heard = new Map<string, boolean>();
    for (const [source, rulings] of ruled) {
      const method = changeOf(source);
      if (method === undefined || !this.view.isOutdated(source, rulings)) continue;
      if (!this.view.wasToldBefore(source)) {
        if (!heard.has(method)) heard.set(method, this.#tellChange(method));
        // Who listens on no stream yet is told when it does.
        if (!heard.get(method)) continue;
      }
      this.view.told(source, rulings);
    }
  }

  /**
   * Passes on that lists changed, before it is known how.
   *
   * @param known whether the server's own words may pass
   */
  pass(
    frame: Extract<Frame, { is: "notification" }>,
    sources: readonly Source[],
    known: boolean,
    via: Via | undefined,
  ): void {
    let heard: boolean;
    if (known) {
      this.tellOf(frame, via);
      heard = !this.#options.isModern() || this.listens.hears(frame);
    } else heard = this.#tellChange(frame.method);
    if (heard) for (const source of sources) this.view.toldBefore(source);
  }

  /** Whether the host hears of it: an older one always, a modern one only where it listens. */
  #tellChange(method: string): boolean {
    const texts = this.listens.changes(method);
    if (!this.#options.isModern()) this.tell(`{"jsonrpc":"2.0","method":"${method}"}`, { answers: "no", method });
    for (const { text, request } of texts) this.tell(text, { request, answers: "no", method });
    return !this.#options.isModern() || texts.length > 0;
  }
}
