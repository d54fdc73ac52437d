import type { About } from "./guard-options.ts";

/**
 * Whether the host has said `initialized`. The guard says it to the server before, to be able to ask for the lists; what the
 * server says from then on waits here until the host is ready for it.
 */
export class HostReadiness {
  readonly #toHost: (text: string, about: About) => void;
  #waiting: [text: string, about: About][] | undefined;
  #ready = false;
  #saidForHost = false;

  constructor(toHost: (text: string, about: About) => void) {
    this.#toHost = toHost;
  }

  /** Whether the guard has to say `initialized` to the server: neither it nor the host has. From now on messages wait. */
  sayForHost(): boolean {
    if (this.#ready) return false;
    this.#waiting = [];
    this.#saidForHost = true;
    return true;
  }

  /** The host has said it. Returns whether the server has yet to hear it. */
  hostSaid(): boolean {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#ready = true;
    for (const [text, about] of waiting) this.#toHost(text, about);
    return !this.#saidForHost;
  }

  /** Passes a message on, or keeps it. False where too many wait already: one that is never ready must cost no memory. */
  tell(text: string, about: About): boolean {
    if (this.#waiting === undefined) this.#toHost(text, about);
    else if (this.#waiting.length < most) this.#waiting.push([text, about]);
    else return false;
    return true;
  }
}

const most = 1_000;
