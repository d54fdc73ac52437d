/** How long a server that ends by itself is left alone: not at all at first, then twice as long each time, to half a minute. */
export class BackOff {
  #ends = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** It ended by itself. @param ran milliseconds that it had run; @param now by `performance.now()` */
  ended(ran: number, now: number): void {
    this.#ends = ran >= wellRun ? 1 : this.#ends + 1;
    this.#last = now;
  }

  /** Milliseconds until it may be started again. */
  wait(now: number): number {
    if (this.#ends < 2) return 0;
    return Math.max(0, this.#last + Math.min(longest, first * 2 ** (this.#ends - 2)) - now);
  }
}

/** Milliseconds after which a server has run well, and its end is no sign that the next will come at once. */
const wellRun = 60_000;
const first = 250;
const longest = 30_000;
