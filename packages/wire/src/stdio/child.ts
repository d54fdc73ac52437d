import { type ChildProcess, type SpawnOptionsWithStdioTuple, type StdioPipe, spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import type { Command } from "./command.ts";
import { killTree, spawnOnWindows } from "./windows-child.ts";

/** How a server's process came to its end, or never began. */
export type Ending =
  | { readonly is: "exited"; readonly code: number }
  | { readonly is: "killed"; readonly signal: NodeJS.Signals }
  | { readonly is: "not-started"; readonly code: string };

/**
 * A server's process, in a process group of its own: a signal reaches its children too, and none of them is left when
 * it ends.
 */
export class Child {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess | undefined;
  /** Its number, and the group's, may be somebody else's by now. */
  #gone = false;

  constructor({ command, args, ...surroundings }: Command) {
    const options: SpawnOptionsWithStdioTuple<StdioPipe, StdioPipe, StdioPipe> = {
      ...surroundings,
      stdio: ["pipe", "pipe", "pipe"],
      detached: windows === undefined,
      windowsHide: true,
    };
    const child = windows?.spawnOnWindows({ command, args }, options) ?? spawn(command, args, options);
    if (typeof child === "string") {
      this.#process = undefined;
      this.stdin = new PassThrough().resume();
      this.stdout = new PassThrough().end();
      this.stderr = new PassThrough().end();
      this.ended = Promise.resolve({ is: "not-started", code: child });
      return;
    }
    this.#process = child;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    // A server that has closed its end is reported by its exit; what was still to be written is lost either way.
    child.stdin.on("error", () => child.stdin.destroy());
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    child.on("error", (error: NodeJS.ErrnoException) => resolve({ is: "not-started", code: error.code ?? "UNKNOWN" }));
    const othersEnded = new Promise<void>((ended) => {
      child.on("exit", () => void this.#endOthers().then(ended));
    });
    // `close`, not `exit`: by then its last words have been read.
    child.on("close", (code, signal) => {
      const ending: Ending = signal === null ? { is: "exited", code: code ?? 1 } : { is: "killed", signal };
      void othersEnded.then(() => resolve(ending));
    });
  }

  /** What the server itself started may outlive it, and would hold `close` back by its open pipes. */
  async #endOthers(): Promise<void> {
    this.signal("SIGTERM");
    for (let waited = 0; waited < 1_000 && this.signal(0); waited += 20) {
      await new Promise((again) => setTimeout(again, 20));
    }
    this.signal("SIGKILL");
    this.#gone = true;
  }

  /** To the whole group; 0 only asks. Returns whether anybody was there. */
  signal(signal: NodeJS.Signals | 0): boolean {
    const pid = this.#process?.pid;
    if (this.#process === undefined || pid === undefined || this.#gone) return false;
    try {
      if (windows === undefined) return process.kill(-pid, signal);
      const there = process.kill(pid, 0);
      if (signal !== 0) windows.killTree(this.#process);
      return there;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      return false;
    }
  }

  /** MCP's shutdown for stdio: close the input, wait, then SIGTERM, then SIGKILL. Milliseconds for each wait. */
  async stop(grace: number): Promise<Ending> {
    this.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const ended = await Promise.race([this.ended, after(grace)]);
      if (ended !== undefined) return ended;
      this.signal(signal);
    }
    return this.ended;
  }
}

/** Not by an import that is awaited: then nobody could `require()` the library. */
const windows = process.platform === "win32" ? { spawnOnWindows, killTree } : undefined;

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined).unref());
}
