import type { ServerResponse } from "node:http";
import type { AccessEvent } from "../access/access-event.ts";
import type { Access, Admitted } from "../access/admission.ts";

/** Why streams are to end. */
type Why = "draining" | "expired" | "revoked";

interface Exchange {
  readonly admitted: Admitted;
  readonly response: ServerResponse;
  readonly ending: AbortController;
}

/** What is being answered. Twice a second it is looked whether whoever it is answered to would still be let in. */
export class OpenExchanges {
  readonly #open = new Set<Exchange>();
  /** By the principal's id. */
  readonly #counts = new Map<string, number>();
  readonly #access: Access;
  readonly #report: (event: AccessEvent) => void;
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #trouble: string | undefined;

  constructor(access: Access, report: (event: AccessEvent) => void) {
    this.#access = access;
    this.#report = report;
    this.#timer = setInterval(() => this.#look(), lookEvery).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Undefined where the principal has as many already as it may. */
  add(response: ServerResponse, admitted: Admitted, most: number): AbortSignal | undefined {
    const { id } = admitted.principal;
    const count = this.#counts.get(id) ?? 0;
    if (count >= most) return undefined;
    const exchange = { admitted, response, ending: new AbortController() };
    this.#open.add(exchange);
    this.#counts.set(id, count + 1);
    response.once("close", () => {
      this.#open.delete(exchange);
      const left = (this.#counts.get(id) ?? 1) - 1;
      if (left === 0) this.#counts.delete(id);
      else this.#counts.set(id, left);
    });
    return exchange.ending.signal;
  }

  endAll(): void {
    for (const exchange of this.#open) end(exchange, "draining");
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#looking || this.#open.size === 0) return;
    this.#looking = true;
    this.#endWhatCountsNoLonger()
      .catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== this.#trouble) this.#report({ is: "trouble", error: text });
        this.#trouble = text;
      })
      .finally(() => {
        this.#looking = false;
      });
  }

  async #endWhatCountsNoLonger(): Promise<void> {
    const holds = await this.#access.holding();
    this.#trouble = undefined;
    const now = Date.now();
    const ended = { expired: 0, revoked: 0 };
    for (const exchange of this.#open) {
      const { until } = exchange.admitted;
      const why = !holds(exchange.admitted) ? "revoked" : until !== undefined && until <= now ? "expired" : undefined;
      if (why === undefined || exchange.ending.signal.reason === why) continue;
      end(exchange, why);
      ended[why]++;
    }
    for (const because of ["expired", "revoked"] as const) {
      if (ended[because] > 0) this.#report({ is: "cut-off", because, streams: ended[because] });
    }
  }
}

function end({ response, ending }: Exchange, why: Why): void {
  ending.abort(why);
  // What waits for news has its end from whoever writes it. A revoked key gets no other word.
  if (why === "revoked") setTimeout(() => response.destroy(), patience).unref();
}

/** Milliseconds. */
const lookEvery = 400;
const patience = 1_000;
