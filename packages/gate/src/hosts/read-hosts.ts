import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Entry } from "./entry.ts";
import { type FindOptions, findHostFiles, type Searched } from "./find-host-files.ts";
import type { Surroundings } from "./host.ts";
import { hostOf } from "./hosts.ts";
import type { HostFileProblem } from "./problem.ts";
import { type HostFileReading, readHostFile } from "./read-host-file.ts";
import { mostBytes } from "./reading/read-document.ts";

export interface HostsReading {
  readonly searched: readonly Searched[];
  readonly entries: readonly Entry[];
  readonly problems: readonly HostFileProblem[];
}

/** Every server in every file of every host. What cannot be read is a problem, and keeps nothing else from being read. */
export async function readHosts(surroundings: Surroundings, options: FindOptions = {}): Promise<HostsReading> {
  const { locate = (path) => path } = options;
  const searched = await findHostFiles(surroundings, options);
  const readings = await Promise.all(searched.map((one) => readOne(one, locate)));
  return {
    searched,
    entries: readings.flatMap(({ entries }) => entries),
    problems: readings.flatMap(({ problems }) => problems),
  };
}

async function readOne({ host, file, there }: Searched, locate: (path: string) => string): Promise<HostFileReading> {
  const about = { host, path: file.path };
  switch (there.is) {
    case "nothing":
      return { entries: [], problems: [] };
    case "problem": {
      const { code, detail } = there;
      return { entries: [], problems: [{ ...about, code, ...(detail === undefined ? {} : { detail }) }] };
    }
    case "file": {
      if (file.format === "shell") return { entries: [], problems: [{ ...about, code: "SHELL" }] };
      if (there.size > mostBytes[file.format]) return { entries: [], problems: [{ ...about, code: "TOO_LARGE" }] };
      const bytes = await readFound(locate(file.path), mostBytes[file.format]);
      return typeof bytes === "string"
        ? { entries: [], problems: [{ ...about, code: "UNREADABLE", detail: bytes }] }
        : readHostFile(hostOf(host), file, bytes);
    }
  }
}

/** What was a file a moment ago may be a pipe by now, so opening it must not wait. Resolves to the system's word on failure. */
async function readFound(path: string, most: number): Promise<Uint8Array | string> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await handle.stat();
      if (!found.isFile()) return "ENOTSUP";
      return found.size > most ? "EFBIG" : await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
    throw error;
  }
}
