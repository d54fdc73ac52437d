import { maxFrameBytes } from "../frame.ts";
import { Guard } from "../guard.ts";
import type { GuardOptions } from "../guard-options.ts";
import { Lines } from "../lines.ts";
import { Child, type Ending } from "../stdio/child.ts";
import type { Command } from "../stdio/command.ts";
import { reclaimAfter } from "../stdio/reclaim.ts";
import type { HostConnection, ServerSide } from "./host-connection.ts";

export interface ProcessSideOptions {
  readonly guard: Omit<GuardOptions, "toHost" | "toServer">;
  readonly command: Command;
  readonly hosts: HostConnection;
  /** One line of the server's stderr, as it was written. */
  readonly stderrLine: (bytes: Buffer) => void;
  /** Milliseconds that the server has to end by itself, and again after SIGTERM. */
  readonly grace: number;
}

export interface ProcessSide extends ServerSide {
  readonly ended: Promise<Ending>;
  /** Whether its end was asked for. */
  readonly isClosing: () => boolean;
}

/** Starts a server for hosts that share it over HTTP. */
export function processSide(options: ProcessSideOptions): ProcessSide {
  const { hosts } = options;
  const child = new Child(options.command);
  const guard = new Guard({
    ...options.guard,
    toHost: (message, about) => hosts.toHost(message, about),
    toServer: (text, sent) => {
      if (!child.stdin.writable) return;
      const unread = "writableLength" in child.stdin ? Number(child.stdin.writableLength) : 0;
      // A server that does not read must cost no memory.
      if (unread > mostUnread && sent.is === "request") queueMicrotask(() => guard.unanswered(sent.key, "NOT_READ"));
      else {
        hosts.sent(sent);
        child.stdin.write(`${text}\n`);
      }
    },
  });
  const fromServer = new Lines(
    maxFrameBytes,
    (line) => {
      guard.fromServer(line);
      reclaimAfter(line.length);
    },
    (ends) => guard.tooLong("server", ends),
  );
  const stderr = new Lines(maxStderrLine, options.stderrLine, (ends) => options.stderrLine(Buffer.from(ends)));
  child.stdout.on("data", (chunk: Buffer) => fromServer.push(chunk));
  child.stdout.on("end", () => fromServer.end());
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stderr.on("end", () => stderr.end());
  let closing = false;
  return {
    guard,
    isClosing: () => closing,
    hungUp(key) {
      // Over HTTP a host of the newer era cancels by that; a process has to be told. The older era does not mean it so.
      if (hosts.era === "sessions" || !child.stdin.writable) return;
      child.stdin.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${key}}}\n`);
    },
    async close() {
      closing = true;
      await guard.settled();
      await child.stop(options.grace);
    },
    ended: child.ended.finally(() => guard.close(closing ? "host" : "server")),
  };
}

const maxStderrLine = 64 * 1024;

/** Bytes that are held for a server which does not read them. */
const mostUnread = 64 * 1024 * 1024;
