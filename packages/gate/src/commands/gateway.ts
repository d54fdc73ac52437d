import type { ServerName } from "@countersign/core";
import { type Ledger, openSqlite } from "@countersign/ledger";
import { defaultEndpointLimits } from "@countersign/wire/http";
import { accessOf } from "../access/access-of.ts";
import type { ServerSettings } from "../config.ts";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { type GatewayConfig, gatewayConfig } from "../gateway/gateway-config.ts";
import type { GatewaySettings } from "../gateway/gateway-settings.ts";
import { type Listening, listen } from "../gateway/listen.ts";
import { observe } from "../gateway/observe.ts";
import { type GatewayOptions as Composed, openGateway } from "../gateway/open-gateway.ts";
import { type Reached, reachedBy } from "../gateway/reached.ts";
import { settingsGiven } from "../gateway/settings-given.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import type { CheckGatewayOptions } from "./check-gateway.ts";

export interface GatewayOptions extends CheckGatewayOptions {
  /** The log holds what happens at every request as well, and what hosts and servers wrote. */
  readonly debug: boolean;
  /** One line of the log. */
  readonly write: (line: string) => void;
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/** Serves every configured server over HTTP until a signal ends it. Returns the exit code to end with. */
export async function gateway(options: GatewayOptions): Promise<ExitCode> {
  const config = await gatewayConfig(options.config);
  const settings = settingsGiven(config, options.flags);
  const ledger = await openSqlite(await ledgerPathOf(options.ledger), { moment });
  try {
    return await serve(options, { config, settings, ledger });
  } finally {
    await ledger.close();
  }
}

/** Milliseconds. A thousand calls a second ask the ledger together; nobody can have been told of a decision in the meantime. */
const moment = 5;

interface Given {
  readonly config: GatewayConfig;
  readonly settings: GatewaySettings;
  readonly ledger: Ledger;
}

async function serve(
  { debug, write, onSignal }: GatewayOptions,
  { config, settings, ledger }: Given,
): Promise<ExitCode> {
  const { limits } = settings;
  let listening: Listening | undefined;
  const { report, stderr, pages, stop } = await observe({
    ...{ servers: settings.servers.keys(), ledger, log: settings.log, debug, write },
    isDraining: () => listening?.isDraining() ?? false,
  });
  for (const one of config.ignored) report({ is: "ignored", because: "loosens", ...one });
  for (const one of config.foreign) report({ is: "ignored", because: "not-for-a-project", ...one });
  const trouble = (error: unknown) =>
    report({ is: "access", event: { is: "trouble", error: error instanceof Error ? error.message : String(error) } });
  const served = openGateway({
    ...{ servers: serversOf(config, settings, stderr), ledger, report, stderr },
    limits: { ...defaultEndpointLimits, sessions: limits.sessions, waiting: limits.streams },
  });
  try {
    listening = await listen({
      ...settings.listen,
      ...(settings.tls === undefined ? {} : { tls: settings.tls }),
      ...{ behindTlsProxy: settings.behindTlsProxy, limits, hosts: settings.hosts, origins: settings.origins },
      access: accessOf({
        keys: async () => (await ledger.state()).keys,
        ...(settings.jwt === undefined ? {} : { jwt: settings.jwt }),
        anonymous: settings.anonymous,
        exists: (server) => settings.servers.has(server),
        trouble,
      }),
      passesToken: (server) => {
        const reach = settings.servers.get(server);
        return reach?.is === "http" && reach.passToken;
      },
      pages,
      handle: (request, response, { server, principal, bearer, body, ends }) => {
        served
          .handle(server, request, response, { principal: principal.id, bearer, body, ends })
          .catch((error: unknown) => {
            trouble(error);
            response.destroy();
          });
      },
      report: (event) => report({ is: "access", event }),
    });
    report({ is: "listening", at: listening.url.href });
    await new Promise<void>((asked) => onSignal(() => asked()));
    await listening.drain();
  } finally {
    await served.close();
    stop();
  }
  report({ is: "stopped" });
  return exitCodes.clean;
}

function serversOf({ of }: GatewayConfig, settings: GatewaySettings, say: Composed["stderr"]): Composed["servers"] {
  const servers = new Map<ServerName, { reached: Reached; settings: ServerSettings }>();
  for (const [server, reach] of settings.servers) {
    const here = of.get(server);
    if (here !== undefined)
      servers.set(server, { reached: reachedBy(server, reach, (text) => say(server, text)), settings: here });
  }
  return servers;
}
