import { createHash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { stateFolder } from "../paths.ts";

export type Replaced =
  | { readonly is: "written"; readonly backup: string }
  | { readonly is: "refused"; readonly because: "CHANGED" | "NOT_WRITABLE"; readonly detail?: string };

/**
 * Puts other bytes in the place of a file's, as a whole or not at all: the new file is complete on the disk before it takes
 * the old one's name. What a link leads to is replaced, and the link stays; so do the mode, and the owner where we may.
 *
 * @param before what was read: whoever wrote in between is not overruled
 */
export async function replaceFile(path: string, before: Uint8Array, after: Uint8Array): Promise<Replaced> {
  let unfinished: string | undefined;
  try {
    const target = await realpath(path);
    const found = await stat(target);
    // A file that may not be written to is not to be replaced either, though its folder would allow it.
    await access(target, constants.W_OK);
    unfinished = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
    await writeWhole(unfinished, after, found);
    const backup = await keepBackup(target, before);
    if (!(await readFile(target)).equals(before)) {
      await rm(unfinished, { force: true });
      return { is: "refused", because: "CHANGED" };
    }
    await rename(unfinished, target);
    unfinished = undefined;
    await syncFolder(dirname(target));
    return { is: "written", backup };
  } catch (error) {
    if (unfinished !== undefined) await rm(unfinished, { force: true });
    const code = codeOf(error);
    if (code === "ENOENT") return { is: "refused", because: "CHANGED" };
    if (!notWritable.has(code)) throw error;
    return { is: "refused", because: "NOT_WRITABLE", detail: code };
  }
}

const notWritable: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EBUSY"]);

async function writeWhole(path: string, bytes: Uint8Array, { mode, uid, gid }: Stats): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    try {
      await handle.chown(uid, gid);
    } catch (error) {
      // Only root may give a file away.
      if (codeOf(error) !== "EPERM") throw error;
    }
    await handle.chmod(mode & 0o7777);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The name is safe on the disk only with its folder. Not every system can do that to a folder. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!["EISDIR", "EPERM", "EINVAL", "EACCES"].includes(codeOf(error))) throw error;
  }
}

/** Backups of one file that are kept. */
const most = 10;

/** It may hold secrets, as the file does. */
async function keepBackup(target: string, bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256").update(target).digest("hex").slice(0, 12);
  const folder = join(stateFolder(), "backups", `${basename(target)}.${hash}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, new Date().toISOString().replaceAll(":", "-"));
  await writeFile(path, bytes, { mode: 0o600 });
  const older = (await readdir(folder)).sort().slice(0, -most);
  for (const name of older) await rm(join(folder, name), { force: true });
  return path;
}

/** Of an error of the file system; anything else is a fault of ours. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
