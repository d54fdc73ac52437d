import type { Stats } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, posix, win32 } from "node:path";
import { realHome } from "../project/account-home.ts";
import { realPathOf, repositoryAround } from "../project/repository.ts";
import type { Host, HostFile, HostPlace, Surroundings } from "./host.ts";
import type { HostId } from "./host-id.ts";
import { hosts } from "./hosts.ts";
import type { HostFileProblemCode } from "./problem.ts";

/** A place where a host looks for servers, and what is there. */
export interface Searched {
  readonly host: HostId;
  readonly file: HostFile;
  readonly there: { readonly is: "file"; readonly size: number } | { readonly is: "nothing" } | Unusable;
}

interface Unusable {
  readonly is: "problem";
  readonly code: Extract<HostFileProblemCode, "UNREADABLE" | "DANGLING_LINK" | "NOT_A_FILE" | "TOO_MANY_FILES">;
  /** The system's own word, as `EACCES`. */
  readonly detail?: string;
}

export interface FindOptions {
  readonly hosts?: readonly Host[];
  /** Where a path of these surroundings is on this machine. */
  readonly locate?: (path: string) => string;
}

/** Every place of every host, there or not. A file that two scopes of a host name is the user's, then the plugin's, then the project's. */
export async function findHostFiles(
  surroundings: Surroundings,
  options: FindOptions = {},
): Promise<readonly Searched[]> {
  const { locate = (path) => path } = options;
  const searched: Searched[] = [];
  for (const host of options.hosts ?? hosts) {
    const usual = new Set(host.files({ ...surroundings, env: new Map() }).map(({ path }) => path));
    const places = host
      .files(surroundings)
      .map((place) => (usual.has(place.path) ? place : placeNamed(place, surroundings, locate)));
    const seen = new Set<string>();
    for (const scope of ["managed", "user", "plugin", "project"] as const) {
      for (const place of places.filter((one) => one.scope === scope)) {
        for (const { path, there } of await look(place, surroundings, locate)) {
          if (seen.has(path)) continue;
          seen.add(path);
          const { pattern: _, ...file } = place;
          searched.push({ host: host.id, file: { ...file, path }, there });
        }
      }
    }
  }
  return searched;
}

/** A variable may be set by whoever wrote the folder that it leads to, so what it names in a repository is that repository's. */
function placeNamed(place: HostPlace, { home }: Surroundings, locate: (path: string) => string): HostPlace {
  if (place.scope !== "user") return place;
  const folder = realPathOf(dirname(locate(place.path)));
  const project = repositoryAround(folder, realHome(locate(home)));
  return project === undefined ? place : { ...place, scope: "project", project };
}

interface Looked {
  readonly path: string;
  readonly there: Searched["there"];
}

async function look(
  { path, pattern }: HostPlace,
  surroundings: Surroundings,
  locate: (path: string) => string,
): Promise<readonly Looked[]> {
  if (pattern === undefined) return [{ path, there: await lookAt(locate(path)) }];
  const paths = surroundings.platform === "win32" ? win32 : posix;
  const found: Looked[] = [];
  const walk: Walk = { left: mostNames };
  for await (const one of fitting(path, pattern, walk, (folder, name) => paths.join(folder, name), locate)) {
    found.push(typeof one === "string" ? { path: one, there: await lookAt(locate(one)) } : one);
  }
  const shown = paths.join(path, ...pattern);
  if (walk.left <= 0) found.push({ path: shown, there: { is: "problem", code: "TOO_MANY_FILES" } });
  return found.length > 0 ? found : [{ path: shown, there: { is: "nothing" } }];
}

interface Walk {
  left: number;
}

/** Names that are looked at below one folder: a cache of plugins may hold whole repositories. */
const mostNames = 50_000;
const deepest = 12;

/** Links to folders are not followed, so the walk ends. */
async function* fitting(
  folder: string,
  pattern: readonly string[],
  walk: Walk,
  join: (folder: string, name: string) => string,
  locate: (path: string) => string,
  depth = 0,
): AsyncGenerator<string | Looked> {
  const [part = "", ...rest] = pattern;
  if (part === "**") yield* fitting(folder, rest, walk, join, locate, depth);
  if (!part.includes("*")) {
    const path = join(folder, part);
    if (rest.length > 0) yield* fitting(path, rest, walk, join, locate, depth);
    else if ((await lookAt(locate(path))).is !== "nothing") yield path;
    return;
  }
  const names = await namesIn(locate(folder));
  if ("is" in names) {
    if (names.is === "problem") yield { path: folder, there: names };
    return;
  }
  for (const { name, isFolder } of names) {
    if (--walk.left <= 0) return;
    if (part === "**") {
      const skipped = name === "node_modules" || name === ".git";
      if (isFolder && !skipped && depth < deepest)
        yield* fitting(join(folder, name), pattern, walk, join, locate, depth + 1);
    } else if (fits(name, part)) {
      if (rest.length === 0) yield join(folder, name);
      else if (isFolder) yield* fitting(join(folder, name), rest, walk, join, locate, depth + 1);
    }
  }
}

/** `*` stands once at most in a part: `*.json`. */
function fits(name: string, part: string): boolean {
  const [before = "", after = ""] = part.split("*");
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

async function namesIn(
  folder: string,
): Promise<readonly { name: string; isFolder: boolean }[] | Exclude<Searched["there"], { is: "file" }>> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { is: "nothing" };
    return { is: "problem", code: "UNREADABLE", detail: code };
  }
}

/** Looks without opening it: opening a pipe waits for whoever writes it, and a device may do anything. */
async function lookAt(path: string): Promise<Searched["there"]> {
  try {
    const found = await statOf(path);
    if (found === "nothing") return { is: "nothing" };
    if (found === "dangling") return { is: "problem", code: "DANGLING_LINK" };
    return found.isFile() ? { is: "file", size: found.size } : { is: "problem", code: "NOT_A_FILE" };
  } catch (error) {
    return { is: "problem", code: "UNREADABLE", detail: codeOf(error) };
  }
}

async function statOf(path: string): Promise<Stats | "nothing" | "dangling"> {
  try {
    return await stat(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  try {
    return (await lstat(path)).isSymbolicLink() ? "dangling" : "nothing";
  } catch (error) {
    if (isAbsent(error)) return "nothing";
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error));
}

/** Of an error of the file system; anything else is a fault of ours. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
