import type { ServerName } from "@countersign/core";
import { keyStanding, openSqlite } from "@countersign/ledger";
import { isLoopback } from "../access/loopback.ts";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { gatewayConfig } from "../gateway/gateway-config.ts";
import type { GatewaySettings, HttpReach, Reach, Share } from "../gateway/gateway-settings.ts";
import { refusedListening } from "../gateway/may-listen.ts";
import { type GatewayFlags, settingsGiven } from "../gateway/settings-given.ts";
import { serveFiles } from "../gateway/tls-files.ts";
import { commandOf, type ReachProblem, remoteOf } from "../gateway/usable-reach.ts";
import type { Surroundings } from "../hosts/host.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { wordsWithoutSecrets } from "../launch/launch-of.ts";
import { withoutSecrets } from "../launch/without-secrets.ts";
import type { Ignored } from "../project/config-files.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";

export interface CheckGatewayOptions {
  readonly flags: GatewayFlags;
  readonly config?: string;
  readonly ledger?: string;
}

/** One server as the gateway would reach it now. */
export interface CheckedServer {
  readonly server: ServerName;
  readonly path: string;
  readonly reach: CheckedReach;
  /** What keeps it from being reached; of a variable its name, never its value. */
  readonly problems: readonly ReachProblem[];
  /** Definitions of it that are approved, whether or not it offers them now. */
  readonly approved: number;
}

/** As the config says it, without its secrets. */
export type CheckedReach =
  | { readonly is: "stdio"; readonly words: readonly string[]; readonly share: Share }
  | {
      readonly is: "http";
      readonly url: string;
      readonly transport: HttpReach["transport"];
      readonly passToken: boolean;
    };

export interface CheckGatewayReport {
  readonly config: string;
  readonly settings: Omit<GatewaySettings, "servers">;
  /** Keys that count now. */
  readonly keys: number;
  readonly servers: readonly CheckedServer[];
  readonly ignored: readonly Ignored[];
  readonly foreign: readonly Ignored[];
  readonly exitCode: ExitCode;
}

/** What `countersign gateway` would serve here, and how each server would be reached. Starts and asks nothing. */
export async function checkGateway({ flags, config, ledger }: CheckGatewayOptions): Promise<CheckGatewayReport> {
  const read = await gatewayConfig(config);
  const { servers, ...settings } = settingsGiven(read, flags);
  const refused = refusedListening({
    ...{ ...settings.listen, hosts: settings.hosts, tls: settings.tls, behindTlsProxy: settings.behindTlsProxy },
    ...{ onLoopback: isLoopback(settings.listen.host), anonymous: settings.anonymous },
  });
  if (refused !== undefined) throw refused;
  if (settings.tls !== undefined) (await serveFiles(settings.tls, () => undefined)).stop();
  const surroundings = surroundingsHere();
  const open = await openSqlite(await ledgerPathOf(ledger));
  try {
    const now = Date.now();
    const keys = [...(await open.state()).keys.values()].filter((key) => keyStanding(key, now) === "live").length;
    const checked: CheckedServer[] = [];
    for (const [server, reach] of servers) {
      const { bindings } = await open.snapshot(server);
      const problems = problemsOf(reach, surroundings);
      checked.push({
        ...{ server, path: `/${server}/mcp`, reach: withoutItsSecrets(reach), problems },
        approved: bindings.size,
      });
    }
    const reachable = checked.every(({ problems }) => problems.length === 0);
    return {
      ...{ config: read.path, settings, keys, servers: checked, ignored: read.ignored, foreign: read.foreign },
      exitCode: reachable ? exitCodes.clean : exitCodes.usage,
    };
  } finally {
    await open.close();
  }
}

function withoutItsSecrets(reach: Reach): CheckedReach {
  switch (reach.is) {
    case "stdio":
      return { is: "stdio", words: wordsWithoutSecrets(reach.command, reach.args), share: reach.share };
    case "http": {
      const { transport, passToken } = reach;
      return { is: "http", url: withoutSecrets(reach.url), transport, passToken };
    }
  }
}

function problemsOf(reach: Reach, surroundings: Surroundings): readonly ReachProblem[] {
  const usable = reach.is === "stdio" ? commandOf(reach, surroundings) : remoteOf(reach, surroundings);
  return usable.is === "usable" ? [] : usable.problems;
}
