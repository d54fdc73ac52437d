import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SignInError } from "./sign-in-error.ts";

/** Undefined where there is none. A file that others can read, or could have put there, is not read. */
export async function readOwnFile(path: string): Promise<string | undefined> {
  try {
    check(dirname(path), await lstat(dirname(path)));
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new SignInError({ is: "UNSAFE_FILE", path, because: "NOT_A_FILE" });
      check(path, found);
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw new SignInError({ is: "UNSAFE_FILE", path, because: "NOT_A_FILE" }, { cause: error });
    throw new SignInError({ is: "NOT_KEPT", path, because: code }, { cause: error });
  }
}

/** Takes the place of the file before it, as a whole or not at all. Nobody else can read it at any moment. */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const unfinished = join(folder, `.${randomBytes(8).toString("hex")}`);
  try {
    await ownFolder(folder);
    const handle = await open(unfinished, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new SignInError({ is: "NOT_KEPT", path, because: codeOf(error) }, { cause: error });
  }
}

/** Makes a folder that is nobody else's, or sees that it is. */
export async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  check(folder, await lstat(folder));
}

/** On Windows the folder of the account is its own by its access list, which Node does not tell. */
function check(path: string, { uid, mode }: { readonly uid: number; readonly mode: number }): void {
  if (process.getuid === undefined) return;
  if (uid !== process.getuid()) throw new SignInError({ is: "UNSAFE_FILE", path, because: "NOT_YOURS" });
  if ((mode & 0o077) !== 0) throw new SignInError({ is: "UNSAFE_FILE", path, because: "OTHERS_CAN_READ" });
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
