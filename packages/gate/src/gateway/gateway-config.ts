import { asServerName, type ServerName } from "@countersign/core";
import { jwtSettingsOf } from "../access/jwt-schema.ts";
import { checked, type ServerSettings } from "../config.ts";
import type { Config } from "../config-schema.ts";
import { configFilesHere, type Ignored } from "../project/config-files.ts";
import { type ProjectConfig, readProjects } from "../project/read-projects.ts";
import { ownPathOf } from "../project/repository.ts";
import type { GatewaySettings, HttpReach, Reach, StdioReach } from "./gateway-settings.ts";
import { limitsOf } from "./limits-schema.ts";
import { listenAt } from "./listen-at.ts";
import { ownOnlyIn } from "./own-only.ts";

/** All that a gateway is told before it starts. */
export interface GatewayConfig {
  readonly settings: GatewaySettings;
  /** Of each server that it serves, what the configs here say of its definitions and calls. */
  readonly of: ReadonlyMap<ServerName, ServerSettings>;
  /** The file whose servers are served. */
  readonly path: string;
  /** What projects' configs say of servers' definitions, and may not. */
  readonly ignored: readonly Ignored[];
  /** What projects' configs say of the gateway and of how servers are reached, which no project may. */
  readonly foreign: readonly Ignored[];
}

/**
 * Reads what the operator wrote. Which servers there are and where the gateway listens is never for a project to say: it
 * would start programs. A file that somebody named and that lies in a repository counts once it is trusted.
 *
 * @param given by `--config` or the environment
 */
export async function gatewayConfig(given: string | undefined): Promise<GatewayConfig> {
  const files = configFilesHere(given);
  const projects = await readProjects(files);
  const named = given === undefined ? undefined : projects.files.find(({ path }) => path === ownPathOf(given));
  const chosen = named?.trusted === true ? named : { path: files.user.path, config: projects.own };
  const settings = settingsIn(chosen.config);
  const of = new Map<ServerName, ServerSettings>();
  const ignored = new Map<string, Ignored>();
  for (const server of settings.servers.keys()) {
    const here = projects.settingsOf(server);
    of.set(server, await checked(here.settings, chosen.path));
    for (const { path, settings } of here.ignored) {
      const before = ignored.get(path)?.settings ?? [];
      ignored.set(path, { path, settings: [...new Set([...before, ...settings])] });
    }
  }
  return {
    ...{ settings, of, path: chosen.path, ignored: [...ignored.values()] },
    foreign: projects.files.flatMap((file) => (file === chosen ? [] : foreignIn(file))),
  };
}

function foreignIn({ path, config }: ProjectConfig): readonly Ignored[] {
  const settings = ownOnlyIn(config).map(({ at }) => at);
  return settings.length === 0 ? [] : [{ path, settings }];
}

function settingsIn({ servers = {}, gateway = {} }: Config): GatewaySettings {
  const { listen = "", hosts = [], origins = [], tls, jwt } = gateway;
  return {
    listen: listenAt(listen) ?? { host: "127.0.0.1", port: 7420 },
    hosts: hosts.map((host) => host.toLowerCase()),
    origins: origins.map((origin) => origin.toLowerCase()),
    anonymous: gateway.anonymous ?? false,
    ...(jwt === undefined ? {} : { jwt: jwtSettingsOf(jwt) }),
    ...(tls === undefined ? {} : { tls }),
    behindTlsProxy: gateway.behindTlsProxy ?? false,
    log: gateway.log ?? "text",
    limits: limitsOf(gateway.limits),
    servers: new Map(
      Object.entries(servers).flatMap(([name, server]) => {
        const [key, reach] = [asServerName(name), reachIn(server)];
        return key === undefined || reach === undefined ? [] : [[key, reach] as const];
      }),
    ),
  };
}

/** Undefined for a server of which the config does not say how it is reached: a host starts it through `run`. */
function reachIn(server: NonNullable<Config["servers"]>[string]): Reach | undefined {
  if (server.command !== undefined) {
    return {
      is: "stdio",
      command: server.command,
      args: server.args ?? [],
      env: new Map(Object.entries(server.env ?? {})),
      ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
      share: server.share ?? "principal",
    } satisfies StdioReach;
  }
  if (server.url === undefined) return undefined;
  return {
    is: "http",
    url: server.url,
    headers: new Map(Object.entries(server.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
    transport: server.transport ?? "auto",
    passToken: server.passToken ?? false,
    shareSignIn: server.shareSignIn ?? false,
  } satisfies HttpReach;
}
