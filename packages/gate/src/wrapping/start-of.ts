import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Entry } from "../hosts/entry.ts";
import type { Surroundings } from "../hosts/host.ts";
import { hostOf } from "../hosts/hosts.ts";
import { expanded } from "./expanded.ts";

export type Start =
  | {
      readonly is: "start";
      readonly command: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    }
  /** Only the host can start it. */
  | { readonly is: "host-only"; readonly because: "VARIABLE" | "NO_FOLDER" | "ENV_FILE"; readonly what: string };

/** How a host would start an entry, as far as anybody but the host can know. */
export async function startOf(
  { host: id, file, at, reach }: Entry,
  { env: around, home }: Surroundings,
): Promise<Start> {
  if (reach.is !== "stdio") throw new RangeError("only a command is started");
  const host = hostOf(id);
  const workspace = folderOf(file.project, at);
  const env = withoutNpm(around);
  let missing: string | undefined;
  const full = (text: string): string => {
    const result = expanded(text, host, { env, home, workspace });
    if (result.is === "text") return result.text;
    missing ??= result.variable;
    return text;
  };
  const command = [full(reach.command), ...reach.args.map(full)];
  const own = new Map([...reach.env].map(([name, value]) => [name, full(value)]));
  const cwd = reach.cwd === undefined ? (workspace ?? home) : resolve(workspace ?? home, full(reach.cwd));
  const envFile = reach.envFile === undefined ? undefined : full(reach.envFile);
  if (missing !== undefined) return { is: "host-only", because: "VARIABLE", what: missing };
  if (!existsSync(cwd)) return { is: "host-only", because: "NO_FOLDER", what: cwd };
  const more = envFile === undefined ? {} : await variablesIn(isAbsolute(envFile) ? envFile : resolve(cwd, envFile));
  if (more === undefined) return { is: "host-only", because: "ENV_FILE", what: envFile ?? "" };
  return { is: "start", command, cwd, env: { ...Object.fromEntries(env), ...more, ...Object.fromEntries(own) } };
}

/** Claude Code keeps what belongs to one folder under that folder's path. */
function folderOf(project: string | undefined, at: Entry["at"]): string | undefined {
  if (project !== undefined) return project;
  const [first, folder] = at;
  return first === "projects" && typeof folder === "string" && isAbsolute(folder) ? folder : undefined;
}

/** What npm adds where it runs a program, and no host has. */
function withoutNpm(env: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (!env.has("npm_execpath")) return env;
  const kept = new Map([...env].filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)));
  const path = kept.get("PATH");
  const added = /[\\/]node_modules[\\/](?:\.bin|npm[\\/]node_modules|@npmcli)|[\\/]_npx[\\/]/;
  if (path !== undefined) {
    const folders = path.split(delimiter).filter((folder) => !added.test(folder));
    kept.set("PATH", folders.join(delimiter));
  }
  return kept;
}

async function variablesIn(path: string): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    const parsed = parseEnv(await readFile(path, "utf8"));
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string") return undefined;
    throw error;
  }
}
