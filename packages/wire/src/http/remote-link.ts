import type { Exchange, RemoteOptions } from "./remote-options.ts";

/** One connection with a server at a URL, of one principal, in whichever era its messages are. */
export class RemoteLink {
  readonly #options: RemoteOptions;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /** Whether there is a session (2025 era) that `close` will end. */
  get session(): boolean {
    return this.#options.resumes;
  }

  /**
   * POSTs one message of ours, as the guard's `toServer` gives it.
   *
   * @param more headers beside those of the options, for this message only
   */
  send(text: string, more?: { readonly headers?: ReadonlyMap<string, string> }): Exchange {
    throw new Error(`not yet: ${text.length} ${more}`);
  }

  /** GETs the stream of the session (2025 era), or what followed an event on one of its streams. */
  listen(lastEventId?: string): Exchange {
    throw new Error(`not yet: ${lastEventId}`);
  }

  /** Nobody wants more of this. In the newer era that cancels a request; in the older it cancels nothing. */
  stop(exchange: Exchange): void {
    throw new Error(`not yet: ${exchange.of}`);
  }

  /** Stops all, and ends the session where there is one. */
  close(): Promise<void> {
    throw new Error("not yet");
  }
}
