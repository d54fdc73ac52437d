import type { Readable, Writable } from "node:stream";
import type { Bound } from "../call-gate.ts";
import { maxFrameBytes } from "../frame.ts";
import { Guard } from "../guard.ts";
import type { GuardOptions, Via } from "../guard-options.ts";
import { Lines } from "../lines.ts";
import { bareNotifications } from "../methods.ts";
import { declaredParams } from "./declared-params.ts";
import { failureOf, type RemoteFailure } from "./remote-failure.ts";
import { RemoteLink } from "./remote-link.ts";
import type { Exchange, RemoteOptions } from "./remote-options.ts";

export interface GuardRemoteOptions extends Omit<GuardOptions, "toHost" | "toServer" | "isOwn"> {
  readonly remote: Omit<RemoteOptions, "heard" | "resumes" | "headerParams">;
  readonly host: { readonly input: Readable; readonly output: Writable };
  /** A message of ours was not taken, or what was asked has no answer. `status`: where the server has said so by one. */
  readonly failed: (code: RemoteFailure, of: Exchange, status?: number) => void;
  /** What a host is told to do about a failure, beside its code. */
  readonly nextStep: (code: RemoteFailure) => string | undefined;
  /** Milliseconds for answers that are still to come when the host has hung up. */
  readonly grace: number;
}

export interface GuardedRemote {
  readonly guard: Guard;
  /** The host has hung up, or `close` was called, and the server was told. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Stands between a host that speaks on two streams and a server at a URL. */
export function guardRemote(options: GuardRemoteOptions): GuardedRemote {
  const { host, remote, failed, nextStep } = options;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const waiting = new Set<Exchange>();
  /** Of requests that the host has not sent. */
  const own = new WeakSet<Via>();
  let called: Bound | undefined;
  let hungUp = false;
  let closing = false;
  const close = () => {
    if (closing) return;
    closing = true;
    guard.close("host");
    void link.close().then(resolve);
  };
  const link: RemoteLink = new RemoteLink({
    ...remote,
    resumes: true,
    headerParams: () => (called === undefined ? [] : declaredParams(called.rendering)),
    heard: {
      message: (bytes, exchange) => guard.fromServer(bytes, exchange),
      tooLong: (ends) => guard.tooLong("server", ends),
      // A host on two streams knows none of these, and gets every message whole.
      ...{ begins: nothing, beat: nothing, large: nothing },
      ends: (exchange, end) => {
        waiting.delete(exchange);
        const code = failureOf(end);
        // That a server has no stream of its own is no failure.
        const isNone = end.is === "refused" && exchange.of === "stream" && end.status < 500;
        if (code !== undefined && !isNone) failed(code, exchange, end.is === "refused" ? end.status : undefined);
        if (exchange.id !== undefined && end.is !== "stopped" && guard.waits(exchange.id))
          guard.unanswered(exchange.id, code ?? "NO_ANSWER", code === undefined ? undefined : nextStep(code));
        if (hungUp && waiting.size === 0) close();
      },
      reopened: () => {
        for (const method of bareNotifications.keys())
          guard.fromServer(Buffer.from(`{"jsonrpc":"2.0","method":"${method}"}`));
      },
    },
  });
  const guard: Guard = new Guard({
    ...options,
    isOwn: (via) => own.has(via),
    toHost: (message) => {
      if (!host.output.writable) return;
      host.output.write(message);
      if (!host.output.write("\n")) link.pause();
    },
    toServer: (text, sent) => {
      called = sent.is === "request" ? sent.bound : undefined;
      const exchange = link.send(text);
      if (sent.is === "request" && sent.of === undefined) own.add(exchange);
      // A stream of changes has no answer that is still to come.
      if (sent.is === "request" && sent.method !== "subscriptions/listen") waiting.add(exchange);
    },
  });
  const fromHost = new Lines(
    maxFrameBytes,
    (line) => guard.fromHost(line),
    (ends) => guard.tooLong("host", ends),
  );
  host.output.on("drain", () => link.resume());
  // A host that stopped reading is gone.
  host.output.on("error", close);
  host.input.on("data", (chunk: Buffer) => fromHost.push(chunk));
  host.input.on("end", () => {
    fromHost.end();
    void guard.settled().then(() => {
      hungUp = true;
      if (waiting.size === 0) close();
      else setTimeout(close, options.grace);
    });
  });
  host.input.on("close", () => {
    if (!host.input.readableEnded) close();
  });
  return { guard, ended, close };
}

const nothing = () => undefined;
