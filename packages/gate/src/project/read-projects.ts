import { readFile, stat } from "node:fs/promises";
import { decodeUtf8, visible } from "@countersign/core";
import { defaults, over, type Said, saidOf, settingsFrom, textAt } from "../config.ts";
import type { Config } from "../config-schema.ts";
import { GateError } from "../gate-error.ts";
import { parseConfig, readConfig } from "../read-config.ts";
import type { ConfigFile, ConfigFiles, SettingsHere } from "./config-files.ts";
import { ownPathOf, repositoryOf } from "./repository.ts";
import { type Loosening, tighten } from "./tighten.ts";
import { configTrust, isTrusted, type Trusted } from "./trust.ts";

/** A config that a repository may have brought, as it was read once. */
export interface ProjectConfig {
  /** By `ownPathOf`. */
  readonly path: string;
  readonly trust: Trusted;
  readonly trusted: boolean;
  /** All that it would loosen of what counts without it, for whatever server: `servers.files.trusted = true`. */
  readonly loosens: readonly string[];
  readonly config: Config;
}

export interface Projects {
  /** What the user's own config says; nothing where there is none. */
  readonly own: Config;
  readonly files: readonly ProjectConfig[];
  settingsOf(server: string): SettingsHere;
}

/** @throws GateError for a project's config that cannot be read: whoever wrote it may have meant to tighten something */
export async function readProjects({ user, projects }: ConfigFiles): Promise<Projects> {
  const own = await userConfig(user);
  const read: Read[] = [];
  for (const file of projects) {
    const one = await readProject(file);
    if (one !== undefined) read.push(one);
  }
  const look = (server: string | undefined) => {
    let said = over(defaults, saidOf(own, server));
    return read.map(({ config, trusted }) => {
      const step = stepOf(said, config, server, trusted);
      said = step.said;
      return step;
    });
  };
  const servers = [own, ...read.map(({ config }) => config)].flatMap(({ servers = {} }) => Object.keys(servers));
  const everywhere = [undefined, ...new Set(servers)].map(look);
  return {
    own,
    files: read.map(({ path, trust, trusted, config }, index) => ({
      ...{ path, trust, trusted, config },
      loosens: [...new Set(everywhere.flatMap((steps) => steps[index]?.loosens ?? []))],
    })),
    settingsOf(server) {
      const steps = look(server);
      const ignored = steps.flatMap(({ loosens }, index) => {
        const file = read[index];
        return file === undefined || file.trusted || loosens.length === 0
          ? []
          : [{ path: file.path, settings: loosens }];
      });
      return { settings: settingsFrom(steps.at(-1)?.said ?? over(defaults, saidOf(own, server))), ignored };
    },
  };
}

interface Read {
  readonly path: string;
  readonly config: Config;
  readonly trust: Trusted;
  readonly trusted: boolean;
}

function stepOf(before: Said, config: Config, server: string | undefined, trusted: boolean) {
  const asked = saidOf(config, server);
  const { value, loosens } = tighten(before, asked);
  return {
    said: trusted ? over(before, asked) : value,
    loosens: loosens.map((one) => `${placeOf(one, config, server)} = ${JSON.stringify(one.value)}`),
  };
}

/** Where a project's config says it: for one server, or for all. */
function placeOf({ at }: Loosening, { servers = {} }: Config, server: string | undefined): string {
  let own: unknown = server !== undefined && Object.hasOwn(servers, server) ? servers[server] : undefined;
  for (const key of at)
    own = typeof own === "object" && own !== null ? new Map(Object.entries(own)).get(key) : undefined;
  return (own === undefined ? at : ["servers", String(server), ...at]).join(".");
}

async function userConfig({ path, asked }: ConfigFile): Promise<Config> {
  // A variable may have moved the user's own folder into the repository too.
  const text = repositoryOf(path) === undefined ? await textAt(path, asked) : undefined;
  return text === undefined ? {} : readConfig(text, path);
}

/** Bytes. */
const largest = 1024 * 1024;

async function readProject({ path, asked }: ConfigFile): Promise<Read | undefined> {
  const own = ownPathOf(path);
  const bytes = await bytesOf(own, asked);
  if (bytes === undefined) return undefined;
  const text = decodeUtf8(bytes);
  if (text === undefined) throw held(own, "it is not UTF-8");
  const parsed = parseConfig(text);
  if (parsed.is === "broken") throw held(own, parsed.problems[0] ?? "it is broken");
  const trust = configTrust(own, bytes);
  return { path: own, config: parsed.config, trust, trusted: await isTrusted(trust) };
}

async function bytesOf(path: string, asked: boolean): Promise<Buffer | undefined> {
  try {
    const found = await stat(path);
    // A pipe would keep us waiting for ever.
    if (!found.isFile()) throw held(path, "it is not a file");
    if (found.size > largest) throw held(path, `it has more than ${largest} bytes`);
    return await readFile(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || error instanceof GateError) throw error;
    if (error.code === "ENOENT" && !asked) return undefined;
    throw held(path, String(error.code), error);
  }
}

function held(path: string, because: string, cause?: unknown): GateError {
  return new GateError(
    "CONFIG",
    `Cannot use this project's config "${visible(path)}": ${because}; nothing is allowed until it is mended or taken away`,
    { cause },
  );
}
