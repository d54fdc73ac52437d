import { readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Command } from "@countersign/wire";
import type { Entry, Reach } from "./entry.ts";
import { expand, type Known } from "./expand.ts";
import type { Surroundings } from "./host.ts";
import { hostOf } from "./hosts.ts";

/** A command with all that it starts with. */
export interface WholeStart extends Command {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type Start =
  | { readonly is: "command"; readonly command: WholeStart }
  | { readonly is: "impossible"; readonly because: Impossible; readonly what: string };

/** `BAD_URL`: with why, in words of ours. */
export type Impossible = "UNKNOWN_VARIABLE" | "NO_FOLDER" | "NO_ENV_FILE" | "NUL" | "BAD_URL" | "BAD_HEADER";

/**
 * How the host would start an entry's server, with the variables replaced. Reads a file that the entry names only when it is
 * about to be started.
 */
export async function startOf(
  entry: Entry,
  reach: Extract<Reach, { is: "stdio" }>,
  surroundings: Surroundings,
): Promise<Start> {
  const host = hostOf(entry.host);
  const known = knownOf(entry, surroundings);
  const words = [reach.command, ...reach.args, ...reach.env.values(), reach.cwd ?? "", reach.envFile ?? ""];
  const texts: string[] = [];
  for (const word of words) {
    const expanded = expand(word, host, surroundings, known);
    if (expanded.is === "unknown") return { is: "impossible", because: "UNKNOWN_VARIABLE", what: expanded.variable };
    // The system's call ends at a NUL, so it would start something else than what is shown.
    if (expanded.text.includes("\0")) return { is: "impossible", because: "NUL", what: word };
    texts.push(expanded.text);
  }
  const command = texts[0] ?? "";
  const args = texts.slice(1, 1 + reach.args.length);
  const values = texts.slice(1 + reach.args.length);
  const env = new Map([...reach.env.keys()].map((name, index) => [name, values[index] ?? ""] as const));
  const [folder = "", envFile = ""] = values.slice(reach.env.size);
  if ([...env.keys()].some((name) => /[=\0]/.test(name) || name === ""))
    return { is: "impossible", because: "NUL", what: "env" };

  const base = baseOf(entry, surroundings);
  const cwd = folder === "" ? base : resolve(base, folder);
  if (!(await isFolder(cwd))) return { is: "impossible", because: "NO_FOLDER", what: cwd };
  const more = envFile === "" ? new Map<string, string>() : await variablesIn(resolve(cwd, envFile));
  if (more === undefined) return { is: "impossible", because: "NO_ENV_FILE", what: envFile };
  const whole = Object.fromEntries([...surroundings.env, ...more, ...env]);
  return { is: "command", command: { command, args, cwd, env: whole } };
}

/**
 * The folder in which a server starts. What the user wrote for every folder starts in the home folder, so that the folder in
 * which somebody happens to look has no say in what `npx` runs.
 */
function baseOf({ file }: Entry, { home }: Surroundings): string {
  if (file.scope === "project") return file.project ?? dirname(file.path);
  return file.scope === "plugin" ? pluginOf(file.path) : home;
}

function pluginOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === ".claude-plugin" ? dirname(folder) : folder;
}

/** Names that hosts give to places. What is no place here has no value, and the server is not started. */
export function knownOf({ file }: Entry, { home, platform }: Surroundings): Known {
  const separator = platform === "win32" ? "\\" : "/";
  const known = new Map([...["/", "pathSeparator"].map((name) => [name, separator] as const), ["userHome", home]]);
  if (file.project !== undefined) {
    for (const name of ["workspaceFolder", "workspacePath", "CLAUDE_PROJECT_DIR"]) known.set(name, file.project);
    known.set("workspaceFolderBasename", basename(file.project));
  }
  if (file.scope === "plugin") {
    for (const name of ["CLAUDE_PLUGIN_ROOT", "extensionPath"]) known.set(name, pluginOf(file.path));
  }
  return known;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return isAbsolute(path) && (await stat(path)).isDirectory();
  } catch (error) {
    if (isOfTheSystem(error)) return false;
    throw error;
  }
}

/** Undefined where there is no such file, or it cannot be read. */
async function variablesIn(path: string): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > mostBytes) return undefined;
    const variables = Object.entries(parseEnv(await readFile(path, "utf8")));
    return new Map(variables.filter((entry): entry is [string, string] => entry[1] !== undefined));
  } catch (error) {
    if (isOfTheSystem(error)) return undefined;
    throw error;
  }
}

const mostBytes = 1024 * 1024;

function isOfTheSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
