import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { join, posix, sep } from "node:path";
import { comparePaths, type FileTree, type TreeFile, type TreeLink, treeLimits } from "./file-tree.ts";
import { type ManifestProblem, type Outcome, read, refused } from "./manifest-problem.ts";

class Stopped extends Error {
  readonly problem: ManifestProblem;

  constructor(problem: ManifestProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/**
 * Reads every file below a folder. Whoever wrote the tree may be hostile: links are not followed, only regular files are
 * opened, and a tree that changes while it is read is refused, for what was read of it may never have stood there together.
 */
export function readTree(folder: string): Outcome<FileTree> {
  try {
    const seen = walk(folder);
    const files: TreeFile[] = [];
    const links: TreeLink[] = [];
    for (const { path, stats } of seen) {
      if (stats.isSymbolicLink()) links.push(linkAt(folder, path));
      else files.push({ path, bytes: bytesAt(folder, path, stats) });
    }
    const now = walk(folder);
    const same = now.length === seen.length && now.every((one, index) => isSame(one, seen[index]));
    if (!same) return refused("CHANGED_MEANWHILE");
    return read({ files: files.sort(comparePaths), links: links.sort(comparePaths) });
  } catch (error) {
    if (error instanceof Stopped) return { is: "refused", problem: error.problem };
    throw error;
  }
}

interface Seen {
  readonly path: string;
  readonly stats: Stats;
}

function walk(folder: string): readonly Seen[] {
  const found: Seen[] = [];
  const folders = [""];
  let bytes = 0;
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    for (const name of listed(folder, inside)) {
      const path = inside === "" ? name : `${inside}/${name}`;
      const stats = lstatSync(join(folder, path));
      if (stats.isDirectory()) {
        // What Git keeps for itself is no part of what it holds.
        if (path !== ".git") folders.push(path);
        continue;
      }
      if (!stats.isFile() && !stats.isSymbolicLink()) throw new Stopped({ code: "ODD_FILE", at: path });
      found.push({ path, stats });
      bytes += stats.size;
      if (found.length > treeLimits.files) throw new Stopped({ code: "TOO_MANY_FILES" });
      if (stats.size > treeLimits.file || bytes > treeLimits.all) throw new Stopped({ code: "TOO_LARGE", at: path });
    }
    if (folders.length > treeLimits.files) throw new Stopped({ code: "TOO_MANY_FILES" });
  }
  return found.sort(comparePaths);
}

function listed(folder: string, inside: string): readonly string[] {
  try {
    return readdirSync(join(folder, inside), "utf8");
  } catch (error) {
    throw new Stopped({ code: "NOT_READABLE", at: inside, because: codeOf(error) });
  }
}

function bytesAt(folder: string, path: string, were: Stats): Buffer {
  let descriptor: number;
  try {
    // Nobody can put a link or a pipe in its place meanwhile that would be opened.
    descriptor = openSync(
      join(folder, path),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch (error) {
    throw new Stopped({ code: "NOT_READABLE", at: path, because: codeOf(error) });
  }
  try {
    const stats = fstatSync(descriptor);
    if (!isSame({ path, stats }, { path, stats: were })) throw new Stopped({ code: "CHANGED_MEANWHILE", at: path });
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function linkAt(folder: string, path: string): TreeLink {
  const link = readlinkSync(join(folder, path)).split(sep).join("/");
  const target = posix.normalize(posix.join(posix.dirname(path), link));
  if (posix.isAbsolute(link) || target === ".." || target.startsWith("../"))
    throw new Stopped({ code: "LINK_LEAVES", at: path });
  return { path, link };
}

function isSame(one: Seen, other: Seen | undefined): boolean {
  if (other === undefined || one.path !== other.path) return false;
  const [a, b] = [one.stats, other.stats];
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs && a.mode === b.mode;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  throw error;
}
