import { type CommandIn, commandIn } from "./command-in.ts";
import type { Located } from "./located.ts";
import type { Spelling } from "./spelling.ts";
import { insertBefore, prepend, type Splice } from "./splice.ts";

/** What comes before the server's own command: a Node, a script, `run`, a name, options and `--`. */
export type Guard = readonly [string, ...string[]];

/** One word of the server's command that is written otherwise: a package with its version. */
export interface Pinned {
  readonly from: string;
  readonly to: string;
}

export interface Wrapping {
  readonly guard: Guard;
  /** Where the command is a whole line, its words. */
  readonly line?: readonly string[];
  readonly pinned?: Pinned;
}

/** Puts the guard before an entry's command. What was there stays as it is spelled. */
export function wrapEntry(
  text: string,
  entry: Located,
  { guard: [program, ...words], line, pinned }: Wrapping,
  spelling: Spelling,
): readonly Splice[] | undefined {
  const found = commandIn(entry);
  if (found === undefined) return undefined;
  const { command, holder, args } = found;
  const spelled = words.map(spelling.string);
  const pins = pinned === undefined || line !== undefined ? [] : pinsIn(found, pinned, spelling);
  if (pins === undefined) return undefined;
  if (command.value.is === "array") {
    return [prepend(text, command.value, [spelling.string(program), ...spelled]), ...pins];
  }
  if (command.value.is !== "scalar" || command.value.value === undefined) return undefined;
  const { start, end } = command.value;
  const source = text.slice(start, end);
  const behind =
    line === undefined
      ? [spelling.isFree(source) ? source : spelling.string(command.value.value)]
      : line.map((word) => spelling.string(word === pinned?.from ? pinned.to : word));
  const named = { start, end, text: spelling.string(program) };
  if (args !== undefined) return [named, prepend(text, args.list, [...spelled, ...behind]), ...pins];
  return [named, insertBefore(text, holder, command, { key: "args", sources: [...spelled, ...behind] }, spelling)];
}

function pinsIn({ command, args }: CommandIn, { from, to }: Pinned, spelling: Spelling): readonly Splice[] | undefined {
  for (const list of [args?.list, command.value]) {
    if (list?.is !== "array") continue;
    for (const { value } of list.items) {
      if (value.is === "scalar" && value.value === from)
        return [{ start: value.start, end: value.end, text: spelling.string(to) }];
    }
  }
  return undefined;
}
