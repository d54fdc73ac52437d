import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { accountHome, isAccountsOwn, realHome } from "./account-home.ts";

/** The name of a project's config. It is no hidden file: who looks at a repository has to see it. */
export const projectConfigName = "countersign.jsonc";

/**
 * The config of the project that a folder lies in: the nearest one upward, up to the first folder with `.git`. Where no
 * folder has one, only the folder itself is looked at. The home folder is no project, and neither is the root.
 *
 * @param folder a real path
 */
export function projectConfigFrom(folder: string, home = realHome(accountHome())): string | undefined {
  let nearest: string | undefined;
  let here: string | undefined;
  for (const one of upward(folder, home)) {
    const config = join(one, projectConfigName);
    if (nearest === undefined && isThere(config)) nearest = config;
    if (one === folder) here = nearest;
    if (isThere(join(one, ".git"))) return nearest;
  }
  return here;
}

/**
 * The repository whose owner could have written a file, or the link to it: the nearest folder around it that has `.git` or a
 * host's project config, without which nobody could make us read that file. It does not matter where we were started.
 */
export function repositoryOf(path: string): string | undefined {
  const home = accountHome();
  if (isAccountsOwn(path, home)) return undefined;
  const real = realHome(home);
  return repositoryAround(dirname(ownPathOf(path)), real) ?? repositoryAround(dirname(realPathOf(path)), real);
}

/** @param folder a real path */
export function repositoryAround(folder: string, home: string | undefined): string | undefined {
  for (const one of upward(folder, home)) if (marks.some((mark) => isThere(join(one, mark)))) return one;
  return undefined;
}

/** Of the file itself, or the link: trust in what one project's link leads to is none in another's that leads there too. */
export function ownPathOf(path: string): string {
  const full = resolve(path);
  return join(realPathOf(dirname(full)), basename(full));
}

/** What a link leads to, or would lead to: the file need not be there yet. */
export function realPathOf(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync.native(full);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && leadsNowhere.has(String(error.code)))) throw error;
    const folder = dirname(full);
    return folder === full ? full : join(realPathOf(folder), basename(full));
  }
}

const leadsNowhere: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/** Where hosts look for servers in a project's folder, and what version control keeps there. */
const marks = [
  ".git",
  ".hg",
  ".jj",
  ".svn",
  ".mcp.json",
  ".vscode/mcp.json",
  ".cursor/mcp.json",
  ".codex/config.toml",
  ".gemini/settings.json",
  ".zed/settings.json",
  ".roo/mcp.json",
  ".continue/mcpServers",
  ".junie/mcp/mcp.json",
  ".amazonq/mcp.json",
  ".kiro/settings/mcp.json",
  ".agents/mcp_config.json",
  ".amp/settings.json",
  ".github/mcp.json",
  "opencode.json",
  "opencode.jsonc",
];

function* upward(folder: string, home: string | undefined): Generator<string> {
  for (let one = folder; one !== home && one !== dirname(one); one = dirname(one)) yield one;
}

/** A link that leads nowhere is there. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // What stands where a folder would have to be is none.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}
