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

/** One of many hosts, or of one host's exchanges, that share a connection. The guard only tells them apart. */
export type Seat = object;

export interface Pending extends Expected {
  readonly method: string;
  /** The host's own. */
  readonly id: Id;
  /** The key of the id under which the server knows the request: the host's, unless it shares the connection. */
  readonly key: string;
  readonly seat: Seat | undefined;
  /** How the host spells the token under which it wants to hear of progress, where it shares the connection. */
  readonly token?: string;
}

interface Kept {
  readonly pending: Pending;
  /** A source stays pending while it is judged, so that the host's cancellation still finds it; a second answer must not. */
  answered: boolean;
  /** Until somebody is told that there is no answer. */
  patience: NodeJS.Timeout | undefined;
}

/** The hosts' requests that the server has not answered, or whose answers are being judged. */
export class HostRequests {
  readonly #kept = new Map<string, Kept>();
  /** Of every seat, the keys under which the server knows its requests, by the keys of the host's own ids. */
  readonly #seated = new WeakMap<Seat, Map<string, string>>();
  /** The last that were answered: an answer may be lost on its way, and come again. */
  readonly #done = new Map<string, Pending>();
  readonly #adrift = new Set<string>();
  #count = 0;

  /** The key under which the server knows a request that the host still waits for. */
  find({ key }: Pick<Id, "key">, seat: Seat | undefined): string | undefined {
    if (seat !== undefined) return this.#seated.get(seat)?.get(key);
    return this.#kept.has(key) ? key : undefined;
  }

  open({ id, method }: Extract<Frame, { is: "request" }>, seat: Seat | undefined, rest: Expected & Token): Pending {
    const key = seat === undefined ? id.key : String(++this.#count);
    if (seat !== undefined) {
      const keys = this.#seated.get(seat) ?? new Map<string, string>();
      this.#seated.set(seat, keys.set(id.key, key));
    }
    const pending = { id, method, key, seat, ...rest };
    this.#kept.set(key, { pending, answered: false, patience: undefined });
    return pending;
  }

  /** Calls back once, unless an answer comes within so many milliseconds. */
  mind(key: string, milliseconds: number, unanswered: () => void): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    kept.patience = setTimeout(() => {
      if (!kept.answered) unanswered();
    }, milliseconds).unref();
  }

  /** What was asked, as long as nobody has brought an answer to it. */
  waiting(key: string): Pending | undefined {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.answered ? undefined : kept.pending;
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
    const kept = this.#kept.get(key);
    if (kept === undefined) return false;
    clearTimeout(kept.patience);
    this.#adrift.delete(key);
    const { seat, id } = kept.pending;
    if (seat !== undefined) this.#seated.get(seat)?.delete(id.key);
    if (seat !== undefined && kept.answered) this.#remember(kept.pending);
    return this.#kept.delete(key);
  }

  /**
   * The host hung up before it had its answer, which may come once more when it asks for what it missed. A host that
   * never does must cost no memory: the oldest of them are forgotten.
   */
  adrift(key: string): void {
    const pending = this.#done.get(key);
    if (pending?.seat !== undefined) {
      this.#done.delete(key);
      this.#seated.get(pending.seat)?.set(pending.id.key, key);
      this.#kept.set(key, { pending, answered: false, patience: undefined });
    }
    if (!this.#kept.has(key)) return;
    this.#adrift.delete(key);
    this.#adrift.add(key);
    for (const oldest of this.#adrift) {
      if (this.#adrift.size <= mostDone) break;
      this.#adrift.delete(oldest);
      this.forget(oldest);
    }
  }

  /** Forgets all. Returns what was waited for. */
  close(): readonly Pending[] {
    const open = [...this.#kept.values()].map(({ pending }) => pending);
    for (const key of this.#kept.keys()) this.forget(key);
    this.#done.clear();
    this.#adrift.clear();
    return open;
  }

  #remember(pending: Pending): void {
    this.#done.set(pending.key, pending);
    for (const oldest of this.#done.keys()) {
      if (this.#done.size <= mostDone) break;
      this.#done.delete(oldest);
    }
  }
}

type Token = Pick<Pending, "token">;

const mostDone = 64;
