import { createHash, randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { stateFolder } from "../paths.ts";
import { version } from "../version.ts";

/** Where this Countersign is called from. */
function scriptHere(): string {
  return realpathSync(resolve(process.argv[1] ?? ""));
}

/**
 * A path of this Countersign that a host's file may name for years. What a package runner fetched goes away with its cache, so
 * of that a copy is kept, one for each version.
 */
export async function lastingPath({ make }: { readonly make: boolean }, script = scriptHere()): Promise<string> {
  if (!isPassing(script) || basename(dirname(script)) !== "dist") return script;
  const from = dirname(dirname(script));
  const files = await filesBelow(from);
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${relative(from, file)}\0`).update(await readFile(file));
  const folder = join(stateFolder(), "versions", `${version}-${hash.digest("hex").slice(0, 12)}`);
  const kept = join(folder, "countersign", relative(from, script));
  if (!make || existsSync(kept)) return kept;
  const unfinished = `${folder}.${randomBytes(6).toString("hex")}`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  for (const file of files) {
    const to = join(unfinished, "countersign", relative(from, file));
    await mkdir(dirname(to), { recursive: true });
    await cp(file, to);
  }
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Somebody else was faster, with the same bytes.
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
  return kept;
}

/** A path that a tool makes for one call, or clears away when it likes. */
function isPassing(path: string): boolean {
  if (/[\\/](?:_npx|dlx|\.bunx?|bunx-[^\\/]*|xfs-[^\\/]*|_cacache)[\\/]/.test(path)) return true;
  const temporary = realpathSync(tmpdir());
  return path.startsWith(temporary + sep);
}

/** The package: what was built, and its manifest. It is a bundle, so it needs nothing else. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const built = await readdir(join(folder, "dist"), { recursive: true, withFileTypes: true });
  const files = built.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return [...files, join(folder, "package.json")].sort();
}
