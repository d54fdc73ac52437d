import type { ServerName } from "@countersign/core";
import { openSqlite } from "@countersign/ledger";
import { defaultEndpointLimits } from "@countersign/wire";
import { accessOf } from "../access/access-of.ts";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { gatewayConfig } from "../gateway/gateway-config.ts";
import type { GatewayEvent } from "../gateway/gateway-event.ts";
import { listen } from "../gateway/listen.ts";
import { openGateway } from "../gateway/open-gateway.ts";
import { reachedBy } from "../gateway/reached.ts";
import { settingsGiven } from "../gateway/settings-given.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { settingsHere } from "../project/settings-here.ts";
import type { CheckGatewayOptions } from "./check-gateway.ts";

export interface GatewayOptions extends CheckGatewayOptions {
  /** One line of the log. */
  readonly write: (line: string) => void;
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

/** Serves every configured server over HTTP until a signal ends it. Returns the exit code to end with. */
export async function gateway(options: GatewayOptions): Promise<ExitCode> {
  const config = await gatewayConfig(options.config);
  const settings = settingsGiven(config, options.flags);
  const ledger = await openSqlite(await ledgerPathOf(options.ledger));
  try {
    const report = (event: GatewayEvent) => {
      if (process.env["COUNTERSIGN_DEBUG"]) options.write(JSON.stringify(event));
    };
    const servers = new Map<
      ServerName,
      Parameters<typeof openGateway>[0]["servers"] extends ReadonlyMap<ServerName, infer T> ? T : never
    >();
    for (const [server, reach] of settings.servers) {
      servers.set(server, {
        reached: reachedBy(server, reach),
        settings: (await settingsHere(server, options.config)).settings,
      });
    }
    const { limits } = settings;
    const served = openGateway({
      ...{ servers, ledger, report },
      limits: { ...defaultEndpointLimits, sessions: limits.sessions, waiting: limits.streams },
      stderr: (server, line) => options.write(`[${server}] ${line}`),
    });
    const listening = await listen({
      ...settings.listen,
      ...(settings.tls === undefined ? {} : { tls: settings.tls }),
      ...{ behindTlsProxy: settings.behindTlsProxy, limits, hosts: settings.hosts, origins: settings.origins },
      access: accessOf({
        keys: async () => (await ledger.state()).keys,
        ...(settings.jwt === undefined ? {} : { jwt: settings.jwt }),
        anonymous: settings.anonymous,
        exists: (server) => settings.servers.has(server),
        trouble: (error) => options.write(`countersign gateway: ${error}`),
      }),
      passesToken: (server) => {
        const reach = settings.servers.get(server);
        return reach?.is === "http" && reach.passToken;
      },
      pages: new Map(),
      handle: (request, response, { server, principal, body, ends }) => {
        served.handle(server, request, response, { principal: principal.id, body, ends }).catch((error: unknown) => {
          options.write(`countersign gateway: ${String(error)}`);
          response.destroy();
        });
      },
      report: (event) => {
        if (process.env["COUNTERSIGN_DEBUG"]) options.write(JSON.stringify(event));
      },
    });
    options.write(`countersign gateway: listening at ${listening.url}`);
    const { promise: asked, resolve: stop } = Promise.withResolvers<void>();
    options.onSignal(() => stop());
    await asked;
    await listening.drain();
    await served.close();
    return exitCodes.clean;
  } finally {
    await ledger.close();
  }
}
