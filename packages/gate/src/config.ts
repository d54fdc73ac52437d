import { readFile } from "node:fs/promises";
import type { Effect, Pointer } from "@countersign/core";
import type { Planned, Policy } from "@countersign/judge";
import type { Checkpoints } from "@countersign/wire";
import type { Config } from "./config-schema.ts";

/** What the operator decided about one server beforehand, from the defaults, the config and the server's own part of it. */
export interface ServerSettings {
  readonly policy: Policy;
  /** Under `observe` everything of the server passes, and is judged and journalled all the same. */
  readonly mode: "enforce" | "observe";
  readonly firstSight: "quarantine" | "approve-clean";
  readonly checkpoints: Checkpoints;
  /** Methods that pass beside those that always do. */
  readonly allow: ReadonlySet<string>;
}

const defaults: ServerSettings = {
  // As a literal: the rules stay off the path of `run` until its server has been started.
  policy: {
    ...{ trusted: false, strict: false, severities: new Map() },
    ...{ plans: { definitions: new Map() }, fence: false },
  },
  mode: "enforce",
  firstSight: "quarantine",
  checkpoints: { load: true, refetchOnCall: false },
  allow: new Set(),
};

/** The settings of one server. The config's reader is loaded only where there is a config: `run` starts without it. */
export async function settingsOf(server: string, path: string, asked: boolean): Promise<ServerSettings> {
  const text = await textAt(path, asked);
  if (text === undefined) return defaults;
  const { readConfig } = await import("./read-config.ts");
  const config = readConfig(text, path);
  const own = config.servers?.[server];
  const severities = new Map<string, Effect | "off">();
  for (const [rule, effect] of [...Object.entries(config.severities ?? {}), ...Object.entries(own?.severities ?? {})]) {
    if (effect !== undefined) severities.set(rule, effect);
  }
  return {
    policy: {
      trusted: own?.trusted ?? defaults.policy.trusted,
      strict: own?.strict ?? config.strict ?? defaults.policy.strict,
      severities,
      plans: plansIn(config, server),
      fence: own?.fence ?? config.fence ?? defaults.policy.fence,
    },
    mode: own?.mode ?? config.mode ?? defaults.mode,
    firstSight: own?.firstSight ?? config.firstSight ?? defaults.firstSight,
    checkpoints: {
      load: own?.checkpoints?.load ?? config.checkpoints?.load ?? defaults.checkpoints.load,
      refetchOnCall:
        own?.checkpoints?.refetchOnCall ?? config.checkpoints?.refetchOnCall ?? defaults.checkpoints.refetchOnCall,
    },
    allow: new Set(own?.allow),
  };
}

function plansIn(config: Config, server: string): Policy["plans"] {
  const own = config.servers?.[server];
  const definitions = new Map<string, Planned>();
  for (const [key, { prose, set, close }] of Object.entries(own?.definitions ?? {})) {
    const places = Object.entries(set ?? {}).map(([at, to]) => ({ at: at as Pointer, to }));
    definitions.set(key, {
      ...(prose === undefined ? {} : { prose }),
      ...(set === undefined ? {} : { set: places }),
      ...(close === undefined ? {} : { close }),
    });
  }
  const prose = own?.prose ?? config.prose;
  return {
    ...(prose === undefined ? {} : { prose }),
    ...(own?.close === undefined ? {} : { close: own.close }),
    definitions,
  };
}

/** A missing file is no config, unless somebody named it. */
async function textAt(path: string, asked: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !asked) return undefined;
    const { GateError } = await import("./gate-error.ts");
    throw new GateError(
      "CONFIG",
      `Cannot read config "${path}": ${code ?? String(error)}; check the path and its permissions`,
      {
        cause: error,
      },
    );
  }
}
