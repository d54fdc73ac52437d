import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import type { Content, Found } from "./launch-of.ts";

/** Files up to this size are hashed whole; of larger ones, as Node itself, only this much at either end. Bytes. */
const most = 1024 * 1024;

/** Looks at what is at a path. Undefined where nothing is, or nothing that may be read. */
export function lookUp(path: string): Found | undefined {
  try {
    const real = realpathSync.native(path);
    const { mode } = statSync(real);
    const executable =
      process.platform === "win32" || (mode & (constants.S_IXUSR | constants.S_IXGRP | constants.S_IXOTH)) !== 0;
    const read = contentOf(real);
    return read === undefined ? { path: real, executable } : { path: real, executable, ...read };
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

const absent: ReadonlySet<string> = new Set([
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "ELOOP",
  "ENAMETOOLONG",
  "EPERM",
  "EINVAL",
]);

/** What a regular file holds. A pipe is never opened: it would wait for somebody to write. */
function contentOf(path: string): { content: Content; interpreter?: string } | undefined {
  if (!statSync(path).isFile()) return undefined;
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(descriptor);
    const start = readAt(descriptor, 0, Math.min(size, most));
    const hash = createHash("sha256").update(start);
    const interpreter = /^#! ?([^\n\r]{1,200})/.exec(start.toString("latin1", 0, 256))?.[1];
    if (size > 2 * most) hash.update(readAt(descriptor, size - most, most));
    else if (size > most) hash.update(readAt(descriptor, most, size - most));
    const digest = `sha256:${hash.digest("hex")}`;
    const content = size > 2 * most ? { size, ends: digest } : { digest };
    return { content, ...(interpreter === undefined ? {} : { interpreter }) };
  } finally {
    closeSync(descriptor);
  }
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, buffer, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}
