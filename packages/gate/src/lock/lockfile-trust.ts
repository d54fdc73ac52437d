import { isTrusted, lockfileTrust } from "../project/trust.ts";
import { lockfileBytes, lockfilePath } from "./lockfile-at.ts";

/** Whether somebody here has trusted this very lockfile, by path and content. */
export async function isLockfileTrusted(given: string | undefined): Promise<boolean> {
  const path = lockfilePath(given);
  const bytes = await lockfileBytes(path);
  return bytes !== undefined && (await isTrusted(lockfileTrust(path, bytes)));
}
