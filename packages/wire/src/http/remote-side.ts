import type { Bound } from "../call-gate.ts";
import type { Frame } from "../frame.ts";
import { Guard } from "../guard.ts";
import type { GuardOptions, Sent } from "../guard-options.ts";
import { declaredParams } from "./declared-params.ts";
import type { Heard } from "./heard.ts";
import type { HostConnection, ServerSide } from "./host-connection.ts";
import { failureOf, type RemoteFailure } from "./remote-failure.ts";
import { RemoteLink } from "./remote-link.ts";
import type { Exchange, RemoteOptions } from "./remote-options.ts";

export interface RemoteSideOptions {
  readonly guard: Omit<GuardOptions, "toHost" | "toServer" | "isOwn">;
  readonly remote: Omit<RemoteOptions, "heard" | "resumes">;
  readonly hosts: HostConnection;
  /** An exchange ended without what was asked for. */
  readonly failed: (code: RemoteFailure) => void;
}

/** Reaches a server at a URL for hosts that speak over HTTP as well: what one side does is done on the other. */
export function remoteSide({ guard: options, remote, hosts, failed }: RemoteSideOptions): ServerSide {
  const exchanges = new Map<string, Exchange>();
  let called: Bound | undefined;
  const link: RemoteLink = new RemoteLink({
    ...remote,
    resumes: false,
    headerParams: () => (called === undefined ? [] : declaredParams(called.rendering)),
    heard: {
      begins: (exchange, head) => hosts.begins(exchange, head),
      message: (bytes, exchange, event) => {
        const heard: Heard = event === undefined ? { exchange } : { exchange, event: event.id };
        guard.fromServer(bytes, heard);
      },
      beat: (exchange, event) => hosts.beat(exchange, event),
      large: (exchange) => hosts.large(exchange),
      tooLong: (bytes) => guard.tooLong("server", bytes),
      ends: (exchange, end) => {
        if (exchange.id !== undefined) exchanges.delete(exchange.id);
        hosts.ends(exchange, end);
        const code = failureOf(end);
        if (code !== undefined) failed(code);
      },
    },
  });
  const guard: Guard = new Guard({
    ...options,
    toHost: (message, about) => hosts.toHost(message, about),
    isOwn: (via) => hosts.isOwn(via),
    toServer: (text, sent) => {
      called = sent.is === "request" ? sent.bound : undefined;
      const exchange = link.send(text, { frame: frameOf(text, sent) });
      if (sent.is === "request") exchanges.set(sent.key, exchange);
      hosts.sent(sent, exchange);
    },
  });
  const stop = (exchange: Exchange) => link.stop(exchange);
  return {
    guard,
    listen: (lastEventId) => link.listen(lastEventId),
    stop,
    hungUp(key) {
      const exchange = exchanges.get(key);
      if (exchange !== undefined) stop(exchange);
    },
    async close() {
      await guard.settled();
      guard.close("host");
      await link.close();
    },
  };
}

/** A host's request was read before it was given to the guard. */
function frameOf(text: string, sent: Sent): Frame | undefined {
  if (sent.is !== "request" || sent.of === undefined) return undefined;
  const { key, method } = sent;
  const params = sent.params?.is === "object" ? sent.params : undefined;
  return { is: "request", text, id: { key, text: key, start: 0 }, method, params };
}
