import { existsSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import type { Entry } from "../hosts/entry.ts";
import type { Surroundings } from "../hosts/host.ts";
import { type Start, startOf } from "../hosts/start-of.ts";

/** How a host would start an entry, as far as anybody but the host can know. */
export async function hostStart(entry: Entry, surroundings: Surroundings): Promise<Start> {
  const { reach } = entry;
  if (reach.is !== "stdio") throw new RangeError("only a command is started");
  const env = withoutNpm(surroundings.env);
  const start = await startOf(entry, reach, { ...surroundings, env });
  if (start.is === "impossible") return start;
  const cwd = (reach.cwd === undefined ? folderOf(entry) : undefined) ?? start.command.cwd;
  return { is: "command", command: { ...start.command, cwd } };
}

/** Claude Code keeps what belongs to one folder under that folder's path, and starts it there. */
function folderOf({ at: [first, folder] }: Entry): string | undefined {
  return first === "projects" && typeof folder === "string" && isAbsolute(folder) && existsSync(folder)
    ? folder
    : undefined;
}

/** What npm adds where it runs a program, and no host has. */
function withoutNpm(env: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (!env.has("npm_execpath")) return env;
  const kept = new Map([...env].filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)));
  const path = kept.get("PATH");
  const added = /[\\/]node_modules[\\/](?:\.bin|npm[\\/]node_modules|@npmcli)|[\\/]_npx[\\/]/;
  if (path !== undefined) {
    const folders = path.split(delimiter).filter((folder) => !added.test(folder));
    kept.set("PATH", folders.join(delimiter));
  }
  return kept;
}
