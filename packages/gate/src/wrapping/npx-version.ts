import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pinned } from "../hosts/edit/wrap-entry.ts";
import type { Surroundings } from "../hosts/host.ts";
import { packagesOf, programOf } from "../launch/floating.ts";

/**
 * The version of a package that `npx` has just run, from npm's own cache. Undefined where the command is none such, or the
 * version cannot be known without asking anybody: then nothing is made up.
 */
export async function npxVersion(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  { env, home, platform }: Surroundings,
): Promise<Pinned | undefined> {
  if (programOf(command) !== "npx") return undefined;
  const [spec, ...others] = packagesOf(command, args) ?? [];
  if (spec === undefined || others.length > 0 || !/^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(spec)) return undefined;
  if (args.filter((word) => word === spec).length !== 1) return undefined;
  const local = env.get("LOCALAPPDATA");
  const usual = platform === "win32" && local !== undefined ? join(local, "npm-cache") : join(home, ".npm");
  const cache = join(env.get("npm_config_cache") ?? usual, "_npx");
  for (const name of await namesIn(cache)) {
    const made = await jsonIn(join(cache, name, "package.json"));
    const packages = fieldOf(fieldOf(made, "_npx"), "packages");
    if (!Array.isArray(packages) || packages.length !== 1 || packages[0] !== spec) continue;
    const found = fieldOf(await jsonIn(join(cache, name, "node_modules", spec, "package.json")), "version");
    if (typeof found === "string" && /^[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]+)?$/.test(found))
      return { from: spec, to: `${spec}@${found}` };
  }
  return undefined;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

async function jsonIn(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "EACCES"].includes(String(error.code));
}
