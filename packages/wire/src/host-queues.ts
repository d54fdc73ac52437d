import type { Bound } from "./call-gate.ts";
import type { Frame } from "./frame.ts";
import type { Seat } from "./host-requests.ts";

/**
 * Holds what stands beside a call (since 2026-07-28, headers that repeat some of its arguments) against the bound
 * definition. Undefined where it fits.
 */
export type Beside = (bound: Bound) => { readonly code: number; readonly message: string } | undefined;

/** What a host asks or notifies, until somebody has looked at it. */
export interface Queued {
  readonly frame: Extract<Frame, { is: "request" | "notification" }>;
  readonly seat: Seat | undefined;
  readonly beside: Beside | undefined;
}

interface Queue {
  readonly waiting: Queued[];
  /** Resolves when all of them are passed on or refused. */
  working: Promise<void>;
}

/** What each seat has said is looked at in order; no seat waits for another. */
export class HostQueues {
  readonly #queues = new Map<Seat | undefined, Queue>();
  readonly #look: (queued: Queued) => Promise<void>;
  readonly #broken: (queued: Queued, error: unknown) => void;

  constructor(look: (queued: Queued) => Promise<void>, broken: (queued: Queued, error: unknown) => void) {
    this.#look = look;
    this.#broken = broken;
  }

  add(frame: Queued["frame"], seat: Seat | undefined, beside: Beside | undefined): void {
    const queue = this.#queues.get(seat);
    if (queue !== undefined) {
      queue.waiting.push({ frame, seat, beside });
      return;
    }
    const begun: Queue = { waiting: [{ frame, seat, beside }], working: Promise.resolve() };
    this.#queues.set(seat, begun);
    begun.working = this.#work(begun.waiting, seat);
  }

  /** Resolves when everything that was said so far is passed on or refused. */
  async settled(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(({ working }) => working));
  }

  async #work(waiting: Queued[], seat: Seat | undefined): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        await this.#look(next);
      } catch (error) {
        this.#broken(next, error);
      }
      waiting.shift();
    }
    this.#queues.delete(seat);
  }
}
