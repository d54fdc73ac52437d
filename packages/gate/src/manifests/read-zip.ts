import { crc32, inflateRawSync } from "node:zlib";
import { decodeUtf8 } from "@countersign/core";
import { comparePaths, type TreeFile, treeLimits } from "./file-tree.ts";
import { type Outcome, read, refused } from "./manifest-problem.ts";
import { type Central, readCentral } from "./zip-directory.ts";

export interface Archive {
  readonly files: readonly TreeFile[];
}

/** How many times its size a file may have in the archive's bytes, and where that begins to count. */
const mostRatio = 200;
const smallFile = 1024 * 1024;

/**
 * Reads every file of an archive into memory; nothing is written anywhere. Readers differ in what they make of an archive
 * that says two things, so it is refused where its directory and its entries disagree, where entries overlap or stand twice,
 * and where a name means a place outside.
 */
export async function readZip(bytes: Buffer): Promise<Outcome<Archive>> {
  const central = await readCentral(bytes, treeLimits.files);
  if (central.is === "refused") return central;
  const files: TreeFile[] = [];
  const names = new Set<string>();
  const spans: (readonly [number, number])[] = [];
  let all = 0;
  for (const entry of central.value) {
    const path = nameOf(entry);
    if (path === undefined) return refused("ZIP_NAME", entry.name.toString("latin1"));
    // Where case does not count, two such names are one file.
    const folded = path.normalize("NFC").toLowerCase();
    if (names.has(folded)) return refused("ZIP_TWICE", path);
    names.add(folded);
    if (entry.renamed) return refused("ZIP_DISAGREES", path);
    if (isLink(entry)) return refused("ZIP_LINK", path);
    if ((entry.flags & encrypted) !== 0) return refused("ZIP_ENCRYPTED", path);
    if (entry.method !== stored && entry.method !== deflated) return refused("ZIP_METHOD", path);
    all += entry.size;
    if (entry.size > treeLimits.file || all > treeLimits.all) return refused("TOO_LARGE", path);
    if (entry.size > smallFile && entry.size > mostRatio * entry.compressed) return refused("ZIP_BOMB", path);
    const data = dataOf(bytes, entry);
    if (data === undefined) return refused("ZIP_DISAGREES", path);
    spans.push([entry.offset, data.end]);
    if (path.endsWith("/")) {
      if (entry.size > 0) return refused("ZIP_DISAGREES", path);
      continue;
    }
    const content = contentOf(bytes.subarray(data.start, data.end), entry);
    if (content === undefined) return refused("ZIP_DISAGREES", path);
    files.push({ path, bytes: content });
  }
  spans.sort(([a], [b]) => a - b);
  if (spans.some(([start], index) => start < (spans[index - 1]?.[1] ?? 0))) return refused("ZIP_OVERLAPS");
  return read({ files: files.sort(comparePaths) });
}

const encrypted = 1;
const stored = 0;
const deflated = 8;

/** A relative path with `/`, without a way up; undefined for any other. */
function nameOf({ name }: Central): string | undefined {
  const path = decodeUtf8(name);
  if (path === undefined || path === "" || /[\p{Cc}\\:]/u.test(path) || path.startsWith("/")) return undefined;
  const parts = path.replace(/\/$/, "").split("/");
  return parts.some((part) => part === "" || part === "." || part === "..") ? undefined : path;
}

/** Of an archive made on Unix, the upper half of the attributes is the file's mode. */
function isLink({ attributes }: Central): boolean {
  const type = (attributes >>> 16) & 0o170000;
  return type !== 0 && type !== 0o100000 && type !== 0o040000;
}

/** Where the bytes of an entry stand, by its own header; undefined where that does not say what the directory says. */
function dataOf(bytes: Buffer, entry: Central): { readonly start: number; readonly end: number } | undefined {
  const { offset } = entry;
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== 0x04034b50) return undefined;
  const nameLength = bytes.readUInt16LE(offset + 26);
  const start = offset + 30 + nameLength + bytes.readUInt16LE(offset + 28);
  const name = bytes.subarray(offset + 30, offset + 30 + nameLength);
  if (!name.equals(entry.name)) return undefined;
  if (bytes.readUInt16LE(offset + 6) !== entry.flags || bytes.readUInt16LE(offset + 8) !== entry.method)
    return undefined;
  const later = (entry.flags & 8) !== 0; // the sizes stand behind the data
  const [crc, compressed, size] = [14, 18, 22].map((at) => bytes.readUInt32LE(offset + at));
  const same = crc === entry.crc && compressed === entry.compressed && size === entry.size;
  if (!same && !(later && crc === 0 && compressed === 0 && size === 0)) return undefined;
  const end = start + entry.compressed;
  return end > bytes.length ? undefined : { start, end };
}

function contentOf(data: Buffer, { method, size, crc }: Central): Buffer | undefined {
  try {
    const content = method === stored ? Buffer.from(data) : inflateRawSync(data, { maxOutputLength: size + 1 });
    return content.length === size && crc32(content) === crc ? content : undefined;
  } catch (error) {
    // zlib's errors about the data, and ours about its length, say the same: this is not what the directory promised.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
