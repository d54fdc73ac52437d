import { createHash } from "node:crypto";
import { decodeUtf8 } from "@countersign/core";
import { member, objectOf } from "./said.ts";

/** One file of a tree or of an archive; all of it, read once. */
export interface TreeFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
}

export interface TreeLink {
  readonly path: string;
  /** Where it leads, as it is written; it stays within the tree. */
  readonly link: string;
}

export interface FileTree {
  /** By path, in the order of their code units. */
  readonly files: readonly TreeFile[];
  readonly links: readonly TreeLink[];
}

export const treeLimits = {
  files: 2_000,
  /** Bytes. */
  file: 64 * 1024 * 1024,
  all: 256 * 1024 * 1024,
} as const;

/** Code units of the texts of one definition's files; what is beyond is pinned by its digest, and said to be unread. */
const mostText = 512 * 1024;

export function comparePaths(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

export function fileAt({ files }: FileTree, path: string): TreeFile | undefined {
  return files.find((one) => one.path === path);
}

/** What stands below a folder, with paths from there. */
export function treeBelow({ files, links }: FileTree, folder: string): FileTree {
  const below = <T extends { readonly path: string }>(all: readonly T[]) =>
    all
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map((one) => ({ ...one, path: one.path.slice(folder.length + 1) }));
  return { files: below(files), links: below(links) };
}

/** The text of a file that is UTF-8 and no binary; a byte order mark is left out. */
export function textOf({ bytes }: TreeFile): string | undefined {
  if (bytes.includes(0)) return undefined;
  return decodeUtf8(bytes)?.replace(/^\uFEFF/, "");
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * All files as one JSON object by path: their digests and sizes, and their texts where they are asked for. A text that is too
 * much says so; it is pinned all the same.
 *
 * @param texts whether a file's text is to be judged
 */
export function filesText({ files, links }: FileTree, texts: (file: TreeFile) => boolean): string {
  let left = mostText;
  const members = files.map((file) => {
    const parts = [member("sha256", `"${sha256(file.bytes)}"`), member("size", `${file.bytes.length}`)];
    if (texts(file)) {
      const text = textOf(file);
      if (text === undefined) parts.push(member("unread", '"NOT_TEXT"'));
      else if (text.length > left) parts.push(member("unread", '"TOO_LONG"'));
      else {
        left -= text.length;
        parts.push(member("text", JSON.stringify(text)));
      }
    }
    return member(file.path, objectOf(parts));
  });
  members.push(...links.map(({ path, link }) => member(path, objectOf([member("link", JSON.stringify(link))]))));
  return objectOf(members);
}
