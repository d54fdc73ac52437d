import type { Readable, Writable } from "node:stream";
import { maxFrameBytes } from "../frame.ts";
import { Guard } from "../guard.ts";
import type { GuardOptions } from "../guard-options.ts";
import { Lines } from "../lines.ts";
import { Child, type Ending } from "./child.ts";
import type { Command } from "./command.ts";
import { reclaimAfter } from "./reclaim.ts";

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
    toHost: lineWriter(host.output, child.stdout),
    toServer: lineWriter(child.stdin, host.input),
  });

  const fromHost = new Lines(
    maxFrameBytes,
    (line) => {
      guard.fromHost(line);
      reclaimAfter(line.length);
    },
    (ends) => guard.tooLong("host", ends),
  );
  const fromServer = new Lines(
    maxFrameBytes,
    (line) => {
      guard.fromServer(line);
      reclaimAfter(line.length);
    },
    (ends) => guard.tooLong("server", ends),
  );
  const stderr = new Lines(maxStderrLine, options.stderrLine, (ends) => options.stderrLine(Buffer.from(ends)));

  host.input.on("data", (chunk: Buffer) => fromHost.push(chunk));
  let closedBy: "host" | "server" = "server";
  host.input.on("end", () => {
    closedBy = "host";
    fromHost.end();
    void guard.settled().then(() => child.stop(options.grace));
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
    ended: child.ended.finally(() => guard.close(closedBy)),
    signal(signal) {
      child.signal(signalled ? "SIGKILL" : signal);
      signalled = true;
      setTimeout(() => {
        if (closedBy === "host") child.signal("SIGKILL");
      }, afterBoth).unref();
    },
  };
}

const maxStderrLine = 64 * 1024;

/**
 * Milliseconds for a server whose host has both hung up and sent a signal. The SDK's clients kill us a second after that,
 * when they have only probed a server, and then nobody is left to end it.
 */
const afterBoth = 750;

/**
 * Writes one message a line. While the reader is slow, what most of its messages come from is not read either. A reader
 * that is gone holds nobody back: what is still written to it is lost, and whoever wrote it can be seen to end.
 */
function lineWriter(to: NodeJS.WritableStream, from: NodeJS.ReadableStream): (message: string | Uint8Array) => void {
  const resume = () => from.resume();
  to.on("drain", resume);
  to.on("close", resume);
  return (message) => {
    if (!to.writable) return;
    const short = typeof message === "string" && message.length < 4096;
    // A stream encodes a short string as it writes it; for a long one it would first set aside three times its length.
    if (!short) to.write(typeof message === "string" ? Buffer.from(message) : message);
    if (!to.write(short ? `${message}\n` : "\n")) from.pause();
  };
}
