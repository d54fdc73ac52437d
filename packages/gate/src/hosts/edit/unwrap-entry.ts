import { commandIn } from "./command-in.ts";
import type { Located } from "./located.ts";
import type { Spelling } from "./spelling.ts";
import { dropFirst, removeMember, type Splice } from "./splice.ts";
import type { Pinned } from "./wrap-entry.ts";

/** What an entry lost when it was wrapped, and its words do not say. */
export interface Was {
  /** The command as it was spelled, and what it says. */
  readonly source: string;
  readonly value: string;
  /** Where the command was a whole line, its words behind the guard. */
  readonly line?: readonly string[];
  readonly hadArgs: boolean;
  /** A word that was pinned, and how it was spelled. */
  readonly pinned?: Pinned & { readonly source: string };
}

/**
 * Takes the guard from before an entry's command. What somebody changed meanwhile stays.
 *
 * @param guard how many words of the command come before the server's own
 */
export function unwrapEntry(
  text: string,
  entry: Located,
  { guard, was }: { readonly guard: number; readonly was?: Was },
  spelling: Spelling,
): readonly Splice[] | undefined {
  const found = commandIn(entry);
  if (found === undefined) return undefined;
  const { command, args } = found;
  if (command.value.is === "array") {
    if (command.value.items.length <= guard) return undefined;
    const dropped = dropFirst(text, command.value, guard, spelling);
    return dropped && [dropped, ...unpinned(command.value.items.slice(guard), was)];
  }
  if (command.value.is !== "scalar") return undefined;
  const { start, end } = command.value;
  if (args === undefined || args.list.items.length < guard) {
    // The whole of it is one line: `countersign run files -- npx -y some-server`.
    const line = /\s--\s+(\S.*)$/s.exec(command.value.value ?? "")?.[1];
    return args === undefined && line !== undefined ? [{ start, end, text: spelling.string(line) }] : undefined;
  }
  const { items } = args.list;
  const rest = items.slice(guard);
  if (was?.line !== undefined && isLine(items.slice(guard - 1), was)) {
    const gone = was.hadArgs ? dropFirst(text, args.list, items.length, spelling) : removed();
    return gone && [{ start, end, text: was.source }, gone];
  }
  const first = items[guard - 1]?.value;
  if (first?.is !== "scalar" || first.value === undefined) return undefined;
  const source = text.slice(first.start, first.end);
  const spelled =
    was !== undefined && was.value === first.value
      ? was.source
      : spelling.isFree(source)
        ? source
        : spelling.string(first.value);
  const gone = rest.length === 0 && was?.hadArgs === false ? removed() : dropFirst(text, args.list, guard, spelling);
  return gone && [{ start, end, text: spelled }, gone, ...unpinned(rest, was)];

  function removed(): Splice | undefined {
    return args && removeMember(text, args.holder, args.member, spelling);
  }
}

function isLine(items: readonly { readonly value: Located }[], { line = [], pinned }: Was): boolean {
  return (
    items.length === line.length &&
    items.every(({ value }, index) => {
      const word = line[index] === pinned?.from ? pinned?.to : line[index];
      return value.is === "scalar" && value.value === word;
    })
  );
}

function unpinned(items: readonly { readonly value: Located }[], was: Was | undefined): readonly Splice[] {
  const pinned = was?.pinned;
  if (pinned === undefined) return [];
  for (const { value } of items) {
    if (value.is === "scalar" && value.value === pinned.to)
      return [{ start: value.start, end: value.end, text: pinned.source }];
  }
  return [];
}
