import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { decodeUtf8 } from "@countersign/core";
import { type Change, type Edited, editEntry, type Meant } from "../hosts/edit/edit-entry.ts";
import type { Entry } from "../hosts/entry.ts";
import { hostOf } from "../hosts/hosts.ts";
import { readHostFile } from "../hosts/read-host-file.ts";
import { reachKey } from "../hosts/server-names.ts";
import { ownPathOf } from "../project/repository.ts";
import { type Replaced, replaceFile } from "./replace-file.ts";

/** One entry that is to be changed, as it was when somebody decided so. */
export interface Rewrite {
  readonly entry: Entry;
  readonly change: Change;
  readonly meant: Meant;
  /** Called with the text that the entry is about to be changed in, before anything is written. */
  readonly before?: (entry: Entry, text: string) => Promise<void>;
}

export type Refusal = Extract<Edited, { is: "refused" }>["because"] | Extract<Replaced, { is: "refused" }>["because"];

export interface FileRewritten {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Where the bytes from before are; absent where nothing was written. */
  readonly backup?: string;
}

export interface Rewritten {
  readonly files: readonly FileRewritten[];
  readonly refused: ReadonlyMap<Entry, { readonly because: Refusal; readonly detail?: string }>;
}

/**
 * Changes entries, each file as a whole or not at all. A file is read anew: hosts write into theirs as well, and what they wrote since
 * somebody looked stays, unless it is the entry itself.
 */
export async function rewriteFiles(
  rewrites: readonly Rewrite[],
  { write, written }: { readonly write: boolean; readonly written?: (file: FileRewritten) => void },
): Promise<Rewritten> {
  const files: FileRewritten[] = [];
  const refused = new Map<Entry, { because: Refusal; detail?: string }>();
  const byPath = Map.groupBy(rewrites, ({ entry }) => ownPathOf(entry.file.path));
  for (const [path, ofFile] of byPath) {
    const bytes = await readFile(path);
    const text = decodeUtf8(bytes)?.replace(/^\uFEFF/, "");
    let now = text;
    const done: Entry[] = [];
    for (const rewrite of ofFile) {
      const entry = now === undefined ? undefined : sameIn(now, rewrite.entry);
      if (now === undefined || entry === undefined) {
        refused.set(rewrite.entry, { because: now === undefined ? "BROKEN_FILE" : "CHANGED" });
        continue;
      }
      const edited = editEntry(hostOf(entry.host), entry, now, rewrite.change, rewrite.meant);
      if (edited.is === "refused") {
        refused.set(rewrite.entry, { because: edited.because });
        continue;
      }
      if (write) await rewrite.before?.(entry, now);
      now = edited.text;
      done.push(rewrite.entry);
    }
    if (now === undefined || text === undefined || now === text) continue;
    const mark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb ? "\uFEFF" : "";
    const file = { path, before: text, after: now };
    if (!write) {
      files.push(file);
      continue;
    }
    const replaced = await replaceFile(path, bytes, Buffer.from(mark + now));
    if (replaced.is === "written") {
      const whole = { ...file, backup: replaced.backup };
      files.push(whole);
      written?.(whole);
    } else {
      const { is: _, ...because } = replaced;
      for (const entry of done) refused.set(entry, because);
    }
  }
  return { files, refused };
}

/** The entry as it stands now; undefined where it is gone, or starts something else. An item of a list goes by its name. */
function sameIn(text: string, was: Entry): Entry | undefined {
  const { entries } = readHostFile(hostOf(was.host), was.file, Buffer.from(text));
  const list = was.at.slice(0, -1);
  const same = entries.filter(
    ({ at, name, reach }) =>
      isDeepStrictEqual(at.slice(0, -1), list) && name === was.name && reachKey(reach) === reachKey(was.reach),
  );
  return same.find(({ at }) => isDeepStrictEqual(at, was.at)) ?? (same.length === 1 ? same[0] : undefined);
}
