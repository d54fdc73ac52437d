import { readFile } from "node:fs/promises";
import { type Effect, type Json, type Pointer, readJson, visible } from "@countersign/core";
import type { Planned, Policy } from "@countersign/judge";
import type { Checkpoints } from "@countersign/wire";
import type { Config } from "./config-schema.ts";
import type { reachShape } from "./gateway/reach-schema.ts";
import { maxAgeIn } from "./max-age.ts";

/** What the operator decided about one server beforehand, from the defaults, the config and the server's own part of it. */
export interface ServerSettings {
  readonly policy: Policy;
  readonly calls: CallPolicy;
  /** Under `observe` everything of the server passes, and is judged and journalled all the same. */
  readonly mode: "enforce" | "observe";
  readonly firstSight: "quarantine" | "approve-clean";
  readonly checkpoints: Checkpoints;
  /** Methods that pass beside those that always do. */
  readonly allow: ReadonlySet<string>;
}

/** What each call is held against. No model reads it, so it holds from the moment that it stands in the config. */
export interface CallPolicy {
  /** JSON Schemas over the arguments of single tools, by `addressKey`: docs/narrow.md. */
  readonly narrow: ReadonlyMap<string, Json>;
  /** Arguments that a schema does not declare, and does not allow by word. */
  readonly undeclared: "refuse" | "pass";
  /** Structured content against the output schema. */
  readonly results: "pass" | "check";
}

/** What a config says of one server; a setting that it does not name is absent. */
export type Said = Omit<NonNullable<Config["servers"]>[string], keyof typeof reachShape>;

/** What counts where nobody has said anything. A plan has no default: what nobody has spoken of is as it was approved. */
export const defaults = {
  trusted: false,
  mode: "enforce",
  fence: false,
  undeclared: "refuse",
  results: "pass",
  firstSight: "quarantine",
  strict: false,
  severities: {},
  checkpoints: { load: true, change: true, refetchOnCall: false },
} as const satisfies Required<Omit<Said, "prose" | "close" | "definitions" | "only" | "allow">>;

/** The settings of one server. The config's reader is loaded only where there is a config: `run` starts without it. */
export async function settingsOf(server: string, path: string, asked: boolean): Promise<ServerSettings> {
  const text = await textAt(path, asked);
  if (text === undefined) return settingsFrom(defaults);
  const { readConfig } = await import("./read-config.ts");
  return checked(settingsFrom(saidOf(readConfig(text, path), server)), path);
}

/** What reads patterns is loaded only where there is a `narrow`. */
export async function checked(settings: ServerSettings, path: string): Promise<ServerSettings> {
  if (settings.calls.narrow.size > 0) (await import("./check-narrows.ts")).checkNarrows(settings.calls.narrow, path);
  return settings;
}

/** What a config says of a server, in its own part or for all. Without a server: of those that have no part. */
export function saidOf(
  { $schema: _, gateway: __, servers = {}, ...general }: Config,
  server: string | undefined,
): Said {
  const own = server !== undefined && Object.hasOwn(servers, server) ? servers[server] : undefined;
  return over(general, own === undefined ? {} : withoutReach(own));
}

/** How a server is reached is no setting that one config tightens or loosens over another. */
function withoutReach(own: NonNullable<Config["servers"]>[string]): Said {
  const { command, args, env, cwd, share, url, headers, transport, passToken, signIn, ...said } = own;
  return said;
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
      ...(said.only === undefined ? {} : { only: new Set(said.only) }),
    },
    calls: {
      narrow: narrowsIn(said),
      undeclared: said.undeclared ?? defaults.undeclared,
      results: said.results ?? defaults.results,
    },
    mode: said.mode ?? defaults.mode,
    firstSight: said.firstSight ?? defaults.firstSight,
    checkpoints: {
      load: checkpoints.load ?? defaults.checkpoints.load,
      change: checkpoints.change ?? defaults.checkpoints.change,
      refetchOnCall: checkpoints.refetchOnCall ?? defaults.checkpoints.refetchOnCall,
      ...(maxAge === undefined ? {} : { maxAge }),
    },
    allow: new Set(said.allow),
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

function narrowsIn({ definitions = {} }: Said): CallPolicy["narrow"] {
  const narrows = new Map<string, Json>();
  for (const [key, { narrow }] of Object.entries(definitions)) {
    if (narrow === undefined) continue;
    const reading = readJson(JSON.stringify(narrow));
    if (reading.is === "refused")
      throw new RangeError(`what the config says of ${key} is no JSON: ${reading.refusal.code}`);
    narrows.set(key, reading.json);
  }
  return narrows;
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
