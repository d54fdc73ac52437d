import { readFile } from "node:fs/promises";
import { type Effect, type Pointer, visible } from "@countersign/core";
import type { Planned, Policy } from "@countersign/judge";
import type { Checkpoints } from "@countersign/wire";
import type { Config } from "./config-schema.ts";
import { maxAgeIn } from "./max-age.ts";

/** What the operator decided about one server beforehand, from the defaults, the config and the server's own part of it. */
export interface ServerSettings {
  readonly policy: Policy;
  /** Under `observe` everything of the server passes, and is judged and journalled all the same. */
  readonly mode: "enforce" | "observe";
  readonly firstSight: "quarantine" | "approve-clean";
  readonly checkpoints: Checkpoints;
}

/** What a config says of one server; a setting that it does not name is absent. */
export type Said = NonNullable<Config["servers"]>[string];

/** What counts where nobody has said anything. A plan has no default: what nobody has spoken of is as it was approved. */
export const defaults = {
  trusted: false,
  mode: "enforce",
  fence: false,
  firstSight: "quarantine",
  strict: false,
  severities: {},
  checkpoints: { load: true, change: true, refetchOnCall: false },
} as const satisfies Required<Omit<Said, "prose" | "close" | "definitions">>;

/** The settings of one server. The config's reader is loaded only where there is a config: `run` starts without it. */
export async function settingsOf(server: string, path: string, asked: boolean): Promise<ServerSettings> {
  const text = await textAt(path, asked);
  if (text === undefined) return settingsFrom(defaults);
  const { readConfig } = await import("./read-config.ts");
  return settingsFrom(saidOf(readConfig(text, path), server));
}

/** What a config says of a server, in its own part or for all. Without a server: of those that have no part. */
export function saidOf({ $schema: _, servers = {}, ...general }: Config, server: string | undefined): Said {
  const own = server !== undefined && Object.hasOwn(servers, server) ? servers[server] : undefined;
  return over(general, own ?? {});
}

/** What is said beside or instead of what was said before. */
export function over(before: Said, said: Said): Said {
  return {
    ...before,
    ...said,
    severities: { ...before.severities, ...said.severities },
    checkpoints: { ...before.checkpoints, ...said.checkpoints },
    definitions: { ...before.definitions, ...said.definitions },
  };
}

export function settingsFrom(said: Said): ServerSettings {
  const { checkpoints = {} } = over(defaults, said);
  const maxAge = checkpoints.maxAge === undefined ? undefined : maxAgeIn(checkpoints.maxAge);
  const severities = new Map<string, Effect | "off">();
  for (const [rule, effect] of Object.entries(said.severities ?? {})) {
    if (effect !== undefined) severities.set(rule, effect);
  }
  return {
    policy: {
      trusted: said.trusted ?? defaults.trusted,
      strict: said.strict ?? defaults.strict,
      severities,
      plans: plansIn(said),
      fence: said.fence ?? defaults.fence,
    },
    mode: said.mode ?? defaults.mode,
    firstSight: said.firstSight ?? defaults.firstSight,
    checkpoints: {
      load: checkpoints.load ?? defaults.checkpoints.load,
      change: checkpoints.change ?? defaults.checkpoints.change,
      refetchOnCall: checkpoints.refetchOnCall ?? defaults.checkpoints.refetchOnCall,
      ...(maxAge === undefined ? {} : { maxAge }),
    },
  };
}

function plansIn({ prose, close, definitions = {} }: Said): Policy["plans"] {
  const planned = new Map<string, Planned>();
  for (const [key, { prose, set, close }] of Object.entries(definitions)) {
    const places = Object.entries(set ?? {}).map(([at, to]) => ({ at: at as Pointer, to }));
    planned.set(key, {
      ...(prose === undefined ? {} : { prose }),
      ...(set === undefined ? {} : { set: places }),
      ...(close === undefined ? {} : { close }),
    });
  }
  return {
    ...(prose === undefined ? {} : { prose }),
    ...(close === undefined ? {} : { close }),
    definitions: planned,
  };
}

/** A missing file is no config, unless somebody named it. */
export async function textAt(path: string, asked: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !asked) return undefined;
    const { GateError } = await import("./gate-error.ts");
    throw new GateError(
      "CONFIG",
      `Cannot read config "${visible(path)}": ${code ?? String(error)}; check the path and its permissions`,
      {
        cause: error,
      },
    );
  }
}
