import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program that runs beside a test and says on its output when it is ready. */
export class Child {
  /** What it wrote on stdout and stderr. */
  output = "";
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | NodeJS.Signals | null>;
  #isOver = false;

  constructor([command = "", ...args]: readonly string[], { cwd, env }: ChildOptions) {
    this.#process = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
        this.#process.emit("said");
      });
    }
    this.#ended = once(this.#process, "close").then(([code, signal]) => {
      this.#isOver = true;
      this.#process.emit("said");
      return signal ?? code;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Waits until it says something that the pattern finds; returns the first group. */
  async says(pattern: RegExp, milliseconds = 20_000): Promise<string> {
    const late = AbortSignal.timeout(milliseconds);
    for (;;) {
      const found = pattern.exec(this.output);
      if (found !== null) return found[1] ?? found[0];
      if (this.#isOver || late.aborted) throw new Error(`Waited for ${pattern}; it said:\n${this.output}`);
      try {
        await once(this.#process, "said", { signal: late });
      } catch (error) {
        if (!late.aborted) throw error;
      }
    }
  }

  /** Ends it, and kills it where it does not end in time. Returns its exit code, or the signal that ended it. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | NodeJS.Signals | null> {
    if (!this.#isOver) this.#process.kill(signal);
    const kill = setTimeout(() => this.#process.kill("SIGKILL"), 8_000);
    const how = await this.#ended;
    clearTimeout(kill);
    return how;
  }
}
