import { isIP } from "node:net";
import { GateError } from "../gate-error.ts";

interface Plan {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly tls?: unknown;
  readonly behindTlsProxy: boolean;
  readonly onLoopback: boolean;
  readonly anonymous: boolean;
}

/** Why the gateway does not listen as it was told to: where others could reach it, more is asked for. */
export function refusedListening(plan: Plan): GateError | undefined {
  const { host, port, hosts, tls, behindTlsProxy, onLoopback, anonymous } = plan;
  const where = `Cannot listen on ${host}:${port}`;
  if (tls !== undefined && behindTlsProxy) {
    return new GateError(
      "USAGE",
      `${where}: with a certificate of its own it is not behind a proxy that ends TLS; give one of both`,
    );
  }
  if (onLoopback) return undefined;
  if (anonymous) {
    return new GateError(
      "USAGE",
      `${where} without credentials: others could use every server; leave out --anonymous, or listen on 127.0.0.1`,
    );
  }
  if (tls === undefined && !behindTlsProxy) {
    return new GateError(
      "USAGE",
      `${where} without TLS: whoever is on the way could read the keys; give --tls-cert and --tls-key, or --behind-tls-proxy where a proxy on this machine or in a network of its own ends TLS and nothing else can reach this address`,
    );
  }
  if (hosts.length === 0 && (isIP(host) === 0 || isEveryAddress(host))) {
    return new GateError(
      "CONFIG",
      `${where}: it is not said under which names hosts reach it; name them in "gateway.hosts" of the config`,
    );
  }
  return undefined;
}

/** However it is written: it has no name by which a request could be told. */
export function isEveryAddress(host: string): boolean {
  return isIP(host) !== 0 && /^[0:.]+$/.test(host);
}
