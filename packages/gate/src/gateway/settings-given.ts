import { visible } from "@countersign/core";
import { GateError } from "../gate-error.ts";
import type { GatewayConfig } from "./gateway-config.ts";
import type { GatewaySettings, Listen, LogFormat } from "./gateway-settings.ts";
import { listenAt } from "./listen-at.ts";
import type { TlsFiles } from "./tls-files.ts";

/** What somebody said at the command line, over what the config says. */
export interface GatewayFlags {
  readonly listen?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly anonymous?: boolean;
  readonly behindTlsProxy?: boolean;
  readonly log?: string;
}

/** @throws GateError where nothing could be served */
export function settingsGiven({ settings, path }: GatewayConfig, flags: GatewayFlags): GatewaySettings {
  if (settings.servers.size === 0) {
    throw new GateError(
      "CONFIG",
      `Cannot serve anything: "${visible(path)}" says of no server how it is reached; give one a "command" or a "url" under "servers", as in docs/gateway.md`,
    );
  }
  const listen = flags.listen === undefined ? settings.listen : listenFrom(flags.listen);
  const tls = tlsFrom(flags) ?? settings.tls;
  const behindTlsProxy = flags.behindTlsProxy ?? settings.behindTlsProxy;
  return {
    ...settings,
    ...{ listen, behindTlsProxy },
    ...(tls === undefined ? {} : { tls }),
    anonymous: flags.anonymous ?? settings.anonymous,
    log: flags.log === undefined ? settings.log : logFrom(flags.log),
  };
}

/** As in a URL. */
export function shownListen({ host, port }: Listen): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function listenFrom(text: string): Listen {
  const listen = listenAt(text);
  if (listen !== undefined) return listen;
  throw new GateError(
    "USAGE",
    `Cannot listen at "${visible(text)}": give an address and a port, as in 127.0.0.1:7420 or [::1]:7420`,
  );
}

function tlsFrom({ tlsCert, tlsKey }: GatewayFlags): TlsFiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined) return { cert: tlsCert, key: tlsKey };
  throw new GateError("USAGE", "Cannot offer TLS with one of --tls-cert and --tls-key only; give both");
}

function logFrom(text: string): LogFormat {
  if (text === "json" || text === "text") return text;
  throw new GateError("USAGE", `Cannot write a log as "${visible(text)}"; give json or text`);
}
