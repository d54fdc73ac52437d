import type { Readable, Writable } from "node:stream";
import { maxFrameBytes } from "../frame.ts";
import { Guard, type GuardOptions } from "../guard.ts";
import { Lines } from "../lines.ts";
import { Child, type Command, type Ending } from "./child.ts";

export interface StdioOptions extends Omit<GuardOptions, "toHost" | "toServer"> {
  readonly command: Command;
  readonly host: { readonly input: Readable; readonly output: Writable };
  /** One line of the server's stderr, as it was written. */
  readonly stderrLine: (bytes: Buffer) => void;
  /** Milliseconds that the server has to end by itself, and again after SIGTERM. */
  readonly grace: number;
}

export interface GuardedStdio {
  readonly guard: Guard;
  readonly ended: Promise<Ending>;
  /** Passes a signal on to the server; the second time it is a kill. */
  signal(signal: NodeJS.Signals): void;
}

/** Starts a server and stands between it and a host that speaks on two streams. */
export function guardStdio(options: StdioOptions): GuardedStdio {
  const { host } = options;
  const child = new Child(options.command);
  const guard = new Guard({
    ...options,
    toHost: (text) => writeLine(host.output, text, child.stdout),
    toServer: (text) => writeLine(child.stdin, text, host.input),
  });

  const fromHost = new Lines(
    maxFrameBytes,
    (line) => guard.fromHost(line),
    (ends) => guard.tooLong("host", ends),
  );
  const fromServer = new Lines(
    maxFrameBytes,
    (line) => guard.fromServer(line),
    (ends) => guard.tooLong("server", ends),
  );
  const stderr = new Lines(maxStderrLine, options.stderrLine, (ends) => options.stderrLine(Buffer.from(ends)));

  host.input.on("data", (chunk: Buffer) => fromHost.push(chunk));
  host.input.on("end", () => {
    fromHost.end();
    void child.stop(options.grace);
  });
  // A host that stopped reading is gone.
  host.output.on("error", () => void child.stop(options.grace));
  child.stdout.on("data", (chunk: Buffer) => fromServer.push(chunk));
  child.stdout.on("end", () => fromServer.end());
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stderr.on("end", () => stderr.end());

  let signalled = false;
  return {
    guard,
    ended: child.ended.finally(() => guard.close()),
    signal(signal) {
      child.signal(signalled ? "SIGKILL" : signal);
      signalled = true;
    },
  };
}

const maxStderrLine = 64 * 1024;

/** Writes one message; while the reader is slow, its source is not read either. */
function writeLine(to: NodeJS.WritableStream, text: string, from: NodeJS.ReadableStream): void {
  if (!to.writable || to.write(`${text}\n`) || from.isPaused()) return;
  from.pause();
  to.once("drain", () => from.resume());
}
