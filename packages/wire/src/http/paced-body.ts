import type { IncomingMessage } from "node:http";

export interface PacedOptions {
  /** Milliseconds without a byte after which it counts as lost; undefined: none. */
  readonly silence: number | undefined;
  readonly chunk: (bytes: Buffer) => void;
  /** Once, unless it was stopped. */
  readonly over: (how: "complete" | "BROKE_OFF" | "TIMED_OUT") => void;
}

/** Reads the body of an answer, only as fast as everybody wants it. */
export class PacedBody {
  readonly #response: IncomingMessage;
  readonly #reasons = new Set<unknown>();
  readonly #silence: NodeJS.Timeout | undefined;
  #over = false;

  constructor(response: IncomingMessage, { silence, chunk, over }: PacedOptions) {
    this.#response = response;
    const end = (how: Parameters<PacedOptions["over"]>[0]) => {
      if (this.#over) return;
      this.stop();
      over(how);
    };
    // Nobody who is read slowly is blamed for it.
    const silent = () => {
      if (this.#reasons.size > 0) this.#silence?.refresh();
      else end("TIMED_OUT");
    };
    if (silence !== undefined) this.#silence = setTimeout(silent, silence);
    response.on("data", (bytes: Buffer) => {
      if (this.#over) return;
      this.#silence?.refresh();
      chunk(bytes);
    });
    response.on("end", () => end(response.complete ? "complete" : "BROKE_OFF"));
    response.on("close", () => end("BROKE_OFF"));
  }

  pause(reason: unknown): void {
    this.#reasons.add(reason);
    this.#response.pause();
  }

  resume(reason: unknown): void {
    if (!this.#reasons.delete(reason) || this.#reasons.size > 0 || this.#over) return;
    this.#silence?.refresh();
    this.#response.resume();
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#silence);
    // What ended in order is left to its agent, which keeps the connection.
    if (!this.#response.complete) this.#response.destroy();
  }
}
