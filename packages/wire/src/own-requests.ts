import type { Frame } from "./frame.ts";
import type { Sent } from "./guard-options.ts";

export type Answer =
  | Extract<Frame, { is: "result" | "error" }>
  | { readonly is: "none"; readonly code: "NO_ANSWER" | "FRAME_REFUSED" | "CLOSED" };

/** The guard's own requests to a server. Their ids begin with a nonce, so no host can be waiting for the same one. */
export class OwnRequests {
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  readonly #nonce: string;
  readonly #patience: number;
  readonly #send: (text: string, sent: Sent) => void;
  #count = 0;
  #closed = false;

  /** @param patience milliseconds for one answer */
  constructor(nonce: string, patience: number, send: (text: string, sent: Sent) => void) {
    this.#nonce = nonce;
    this.#patience = patience;
    this.#send = send;
  }

  /** @param params the members of `params`, as JSON text */
  ask(method: string, params: readonly string[]): Promise<Answer> {
    if (this.#closed) return Promise.resolve({ is: "none", code: "CLOSED" });
    const id = `"${this.#nonce}:${++this.#count}"`;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => {
      if (this.#waiting.delete(id)) resolve({ is: "none", code: "NO_ANSWER" });
    }, this.#patience);
    this.#waiting.set(id, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    const body = params.length === 0 ? "" : `,"params":{${params.join(",")}}`;
    this.#send(`{"jsonrpc":"2.0","id":${id},"method":"${method}"${body}}`, { is: "request", key: id, method });
    return promise;
  }

  /** Whether somebody waits for an answer with this id. */
  waits(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Whether somebody waited for an answer with this id; whoever did has it now. */
  settle(id: string, answer: Answer): boolean {
    const settle = this.#waiting.get(id);
    if (settle === undefined) return false;
    this.#waiting.delete(id);
    settle(answer);
    return true;
  }

  close(): void {
    this.#closed = true;
    for (const settle of this.#waiting.values()) settle({ is: "none", code: "CLOSED" });
    this.#waiting.clear();
  }
}
