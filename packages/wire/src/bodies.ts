import {
  type Answered,
  areTooLarge,
  memberOf,
  type OfferReading,
  type Page,
  type Ruling,
  readBodies,
  type ServerName,
} from "@countersign/core";
import type { HeldOffers } from "./held-offers.ts";
import type { Answer } from "./own-requests.ts";
import type { Judged, ResultFrame } from "./serve.ts";
import { type StandingText, textsBehind } from "./standing-text.ts";

export interface BodiesOptions {
  readonly server: ServerName;
  readonly offers: HeldOffers;
  readonly rule: (offer: Judged["offer"]) => Promise<readonly Ruling[]>;
  readonly ask: (method: string, params: readonly string[]) => Promise<Answer>;
  readonly broken: (what: string, error: unknown) => void;
  /** How many are asked for without a host that wants them. */
  readonly most: number;
}

/**
 * The standing text of one connection. None is kept: what a host asks for is asked for then, and judged as it comes. What is
 * asked for beforehand is only sighted, so that somebody can look at it before it is needed.
 */
export class Bodies {
  readonly #options: BodiesOptions;
  #derived = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: BodiesOptions) {
    this.#options = options;
  }

  /** Rules on an answer that the host waits for. */
  async judge(text: StandingText, { page }: ResultFrame): Promise<Judged | Refused> {
    const reading = this.#read([answered(text, page)]);
    if (reading.is === "refused") return { code: reading.because.code };
    const { offer } = reading;
    return { offer, rulings: await this.#options.rule(offer) };
  }

  /** Sights what stands behind all that is offered, by requests of the guard's own. */
  async derive(): Promise<void> {
    this.#derived = true;
    const { offers, ask, most, rule } = this.#options;
    const texts = [...offers].flatMap(([, offer]) => textsBehind(offer)).slice(0, most);
    const found: Answered[] = [];
    for (let at = 0; at < texts.length && !this.#closed; at += atOnce) {
      const answers = texts.slice(at, at + atOnce).map(async (text) => {
        const answer = await ask(text.method, text.params);
        // A server that asks for something first gives no text to whoever cannot answer.
        const isText = answer.is === "result" && memberOf(answer.page.result, "inputRequests") === undefined;
        return isText ? [answered(text, answer.page)] : [];
      });
      for (const one of (await Promise.all(answers)).flat()) {
        // One that cannot be read must not keep the others from being sighted.
        const fits = !areTooLarge([...found, one].map(({ page }) => page));
        if (fits && this.#read([one]).is === "offer") found.push(one);
      }
    }
    if (found.length === 0 || this.#closed) return;
    const reading = this.#read(found);
    if (reading.is === "offer") await rule(reading.offer);
  }

  /** As `derive`, and waits no longer than so many milliseconds: they are sighted when they come. */
  async deriveWithin(milliseconds: number): Promise<void> {
    const derived = this.derive().catch((error) => this.#options.broken("bodies", error));
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    await Promise.race([derived, promise]);
    clearTimeout(timer);
  }

  /** Something said that they changed. After a while, so that the lists come first, and many changes count once. */
  changed(): void {
    if (!this.#derived || this.#closed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.derive().catch((error) => this.#options.broken("bodies", error));
    }, 2_000).unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #read(found: readonly Answered[]): OfferReading {
    return readBodies(this.#options.server, found);
  }
}

interface Refused {
  readonly code: Extract<OfferReading, { is: "refused" }>["because"]["code"];
}

const atOnce = 8;

function answered({ kind, name }: StandingText, page: Page): Answered {
  return { kind, name, page };
}
