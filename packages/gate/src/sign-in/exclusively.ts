import { open } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as after } from "node:timers/promises";
import { ownFolder } from "./own-file.ts";
import { SignInError } from "./sign-in-error.ts";
import { signInsFolder } from "./sign-in-store.ts";

export interface Turn {
  /** `nameOf` a place. */
  readonly name: string;
  readonly folder?: string;
  /** Milliseconds to wait for the others. */
  readonly patience: number;
  readonly signal?: AbortSignal;
}

/**
 * Does something that only one process may do at a time. The lock is SQLite's on an empty database: the system takes it back
 * from whoever dies, so nobody has to judge whether a lock is still meant.
 */
export async function exclusively<T>(turn: Turn, act: () => Promise<T>): Promise<T> {
  const { name, folder = signInsFolder(), patience, signal } = turn;
  const path = join(folder, `${name}.lock`);
  try {
    await ownFolder(folder);
    await (await open(path, "a", 0o600)).close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new SignInError({ is: "NOT_KEPT", path, because: String(error.code) }, { cause: error });
  }
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    const end = performance.now() + patience;
    while (!taken(lock)) {
      if (performance.now() > end) throw new SignInError({ is: "BUSY" });
      if (signal?.aborted === true) throw new SignInError({ is: "STOPPED" });
      await after(100);
    }
    return await act();
  } finally {
    lock.close();
  }
}

function taken(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === busy) return false;
    throw error;
  }
}

/** SQLITE_BUSY. */
const busy = 5;
