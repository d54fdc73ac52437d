import type { Source } from "@countersign/core";
import type { Bound, CallGate } from "./call-gate.ts";
import type { Frame, Id } from "./frame.ts";
import type { Asked } from "./freshness.ts";
import type { StandingText } from "./standing-text.ts";

/** What is known of an answer when its request is passed on. */
export interface Expected {
  /** Where it asks for definitions, of which source, and when. */
  readonly of?: { readonly source: Source; readonly asked: Asked };
  /** A call whose result is looked at. */
  readonly called?: { readonly bound: Bound; readonly mayReturn: NonNullable<CallGate["mayReturn"]> };
  /** What the answer will be, where that is pinned by itself. */
  readonly body?: StandingText;
}

export interface Pending extends Expected {
  readonly method: string;
  readonly id: Id;
}

interface Kept {
  readonly pending: Pending;
  /** A source stays pending while it is judged, so that the host's cancellation still finds it; a second answer must not. */
  answered: boolean;
  /** Until somebody is told that there is no answer. */
  patience: NodeJS.Timeout | undefined;
}

/** The host's requests that the server has not answered, or whose answers are being judged. */
export class HostRequests {
  readonly #kept = new Map<string, Kept>();

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  open({ id, method }: Extract<Frame, { is: "request" }>, expected: Expected): void {
    this.#kept.set(id.key, { pending: { id, method, ...expected }, answered: false, patience: undefined });
  }

  /** Calls back once, unless an answer comes within so many milliseconds. */
  mind(key: string, milliseconds: number, unanswered: () => void): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    kept.patience = setTimeout(() => {
      if (!kept.answered) unanswered();
    }, milliseconds).unref();
  }

  /** What was asked, to whoever brings the first answer to it. */
  answer(key: string): Pending | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.answered) return undefined;
    kept.answered = true;
    return kept.pending;
  }

  /** Whether the host still waited for this; it does no longer. */
  forget(key: string): boolean {
    clearTimeout(this.#kept.get(key)?.patience);
    return this.#kept.delete(key);
  }

  /** Forgets all. Returns the ids that the host waited for. */
  close(): readonly Id[] {
    const ids = [...this.#kept.values()].map(({ pending }) => pending.id);
    for (const key of this.#kept.keys()) this.forget(key);
    return ids;
  }
}
