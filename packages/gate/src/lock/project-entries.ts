import { relative, sep } from "node:path";
import type { ServerName } from "@countersign/core";
import type { Entry, Reach } from "../hosts/entry.ts";
import { guardedBy } from "../hosts/guarded-by.ts";
import { hosts } from "../hosts/hosts.ts";
import { readHosts } from "../hosts/read-hosts.ts";
import { serverNameOf } from "../hosts/server-name-of.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";

/** A server in a host's config that lies in the project. Whoever can commit wrote all of it. */
export interface ProjectEntry {
  /** Relative to the project's folder, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
  /** Under which it is in a ledger. */
  readonly server: ServerName;
  /** Of the server itself, where the entry starts it behind a guard. */
  readonly reach: Reach;
}

export interface ProjectReading {
  readonly entries: readonly ProjectEntry[];
  /** Files that are there and cannot be read, all of them or a part. */
  readonly unreadable: readonly string[];
}

/** The servers that the project in a folder names, and that its hosts start as things are. Nothing of them is expanded or started. */
export async function projectEntries(folder: string): Promise<ProjectReading> {
  const projectsOnly = hosts.map((host) => ({
    ...host,
    files: (around: Parameters<typeof host.files>[0]) => {
      return host.files(around).filter(({ scope, path }) => scope === "project" && isWithin(path, folder));
    },
  }));
  const { entries, problems } = await readHosts({ ...surroundingsHere(), cwd: folder }, { hosts: projectsOnly });
  const found = new Map<string, ProjectEntry>();
  for (const entry of entries) {
    // Several hosts read the same file.
    if (entry.enabled) found.set(JSON.stringify([entry.file.path, entry.at]), entryOf(entry, folder));
  }
  const unreadable = new Set(problems.map(({ path }) => shownPath(path, folder)));
  return { entries: [...found.values()], unreadable: [...unreadable] };
}

function entryOf(entry: Entry, folder: string): ProjectEntry {
  const guarded = guardedBy(entry);
  const { line, name } = entry;
  return {
    ...{ file: shownPath(entry.file.path, folder), line, name },
    server: guarded?.server ?? serverNameOf(name),
    reach: guarded?.behind ?? entry.reach,
  };
}

function shownPath(path: string, folder: string): string {
  return relative(folder, path).replaceAll("\\", "/");
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
