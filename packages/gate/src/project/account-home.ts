import { realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";

/**
 * The home of the account that this process runs as, whatever HOME says: a repository's host config may set variables.
 * Undefined where the account has none, as in some containers; then nothing is taken for the account's own.
 */
export function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR") return undefined;
    throw error;
  }
}

/** Whether a path is in the folders that the account has for its settings and state, unless variables move them. */
export function isAccountsOwn(path: string, home: string | undefined): boolean {
  if (home === undefined) return false;
  const full = resolve(path);
  return places.some((place) => full.startsWith(join(home, ...place, "countersign", "/")));
}

const places = [[".config"], [".local", "state"], ["AppData", "Roaming"], ["AppData", "Local"]] as const;

/** As the kernel spells it, for comparison with a working directory. */
export function realHome(home: string | undefined): string | undefined {
  if (home === undefined) return undefined;
  try {
    return realpathSync.native(home);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return home; // named, and never made
    throw error;
  }
}
