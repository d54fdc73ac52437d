import { createHash } from "node:crypto";
import type { Entry } from "./entry.ts";
import { reachKey } from "./server-names.ts";

/** Names one entry as it is now: another command, or the same one in another place, has another id. */
export function entryId({ host, file, at, reach }: Entry): string {
  const text = JSON.stringify([host, file.path, at, reachKey(reach)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
