import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { guardedBy } from "../hosts/guarded-by.ts";
import type { Rewrite } from "./rewrite-files.ts";
import type { Found } from "./select-entries.ts";

/** What a guarded entry calls that is gone: a Node that was updated, a Countersign that was installed anew. */
export interface Moved {
  readonly found: Found;
  /** By their places in the entry's command line. */
  readonly gone: ReadonlyMap<number, string>;
}

export function movedIn(all: readonly Found[]): readonly Moved[] {
  return all.flatMap((found) => {
    const by = guardedBy(found.entry)?.by ?? [];
    const gone = new Map([...by.entries()].filter(([, word]) => isAbsolute(word) && !existsSync(word)));
    return gone.size === 0 ? [] : [{ found, gone }];
  });
}

/** The same entry with what there is now. A script is the last word before `run`; any other path is the Node that runs it. */
export function mended(
  { found: { entry }, gone }: Moved,
  { node, script }: { readonly node: string; readonly script: string },
): Rewrite {
  if (entry.reach.is !== "stdio") throw new RangeError("only a command is guarded");
  const last = (guardedBy(entry)?.by.length ?? 0) - 1;
  const words = new Map([...gone.keys()].map((index) => [index, index === last ? script : node]));
  const [command = "", ...args] = [entry.reach.command, ...entry.reach.args].map(
    (word, index) => words.get(index) ?? word,
  );
  return { entry, change: { is: "rename", words }, meant: { command, args } };
}
