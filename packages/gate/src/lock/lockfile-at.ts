import { existsSync, lstatSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { LockfileError, type LockfileReading, readLockfile, visible } from "@countersign/core";
import { GateError } from "../gate-error.ts";
import { ownPathOf, realPathOf } from "../project/repository.ts";

export const lockfileName = "countersign.lock";

/** The lockfile that is named; else the nearest upward, up to the folder with `.git`; else where it would be. */
export function lockfilePath(given: string | undefined): string {
  if (given !== undefined) {
    const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
    return ownPathOf(isFolder ? join(given, lockfileName) : given);
  }
  const here = realPathOf(process.cwd());
  for (let folder = here; ; folder = dirname(folder)) {
    const path = join(folder, lockfileName);
    if (existsSync(path)) return path;
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return path;
    if (folder === dirname(folder)) return join(here, lockfileName);
  }
}

/** Undefined where there is none. */
export async function lockfileBytes(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new GateError("CONFIG", `Cannot read lockfile "${visible(path)}": ${code ?? String(error)}`, {
      cause: error,
    });
  }
}

/** @throws GateError where there is none */
export async function lockfileBytesAt(path: string): Promise<Buffer> {
  const bytes = await lockfileBytes(path);
  if (bytes !== undefined) return bytes;
  throw new GateError(
    "USAGE",
    `Cannot find lockfile "${visible(resolve(path))}": there is none; write it with countersign lock <server...>`,
  );
}

/** @throws GateError with every problem and its line */
export function lockfileIn(bytes: Uint8Array, path: string): LockfileReading {
  try {
    return readLockfile(bytes);
  } catch (error) {
    if (error instanceof LockfileError) throw unreadable(path, error);
    throw error;
  }
}

function unreadable(path: string, { problems }: Pick<LockfileError, "problems">): GateError {
  const lines = problems.map(({ line, what }) => `\n  ${visible(path)}:${line}: ${what}`).join("");
  return new GateError(
    "CONFIG",
    `Cannot use lockfile "${visible(path)}"; nothing of it counts until it is mended, or written anew with countersign lock --anew <server...>:${lines}`,
  );
}
