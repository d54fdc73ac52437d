import { commandIn } from "./command-in.ts";
import type { Located } from "./located.ts";
import type { Spelling } from "./spelling.ts";
import type { Splice } from "./splice.ts";

/** Writes some words of an entry's command line otherwise, by their places in it: `0` is the command. */
export function renameWords(
  entry: Located,
  words: ReadonlyMap<number, string>,
  spelling: Spelling,
): readonly Splice[] | undefined {
  const found = commandIn(entry);
  if (found === undefined) return undefined;
  const { command, args } = found;
  const items = command.value.is === "array" ? command.value.items.map(({ value }) => value) : [command.value];
  const all = [...items, ...(args?.list.items ?? []).map(({ value }) => value)];
  const splices: Splice[] = [];
  for (const [index, word] of words) {
    const value = all[index];
    if (value?.is !== "scalar" || value.value === undefined) return undefined;
    splices.push({ start: value.start, end: value.end, text: spelling.string(word) });
  }
  return splices;
}
