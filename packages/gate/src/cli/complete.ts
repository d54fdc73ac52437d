import type { Argument, Command, Option } from "commander";

/** What may stand at a place, for whoever knows it at that moment. */
export interface Known {
  readonly servers: () => Promise<readonly string[]>;
  readonly rules: readonly string[];
  readonly kinds: readonly string[];
}

/** What may stand where the cursor is: words, or whatever the shell knows of files. */
export type Completion = { readonly is: "words"; readonly words: readonly string[] } | { readonly is: "files" };

/**
 * What may follow on a command line, from the very commands that would read it.
 *
 * @param words after `countersign`, up to the cursor; the last one is being written, and may be empty
 */
export async function complete(program: Command, words: readonly string[], known: Known): Promise<Completion> {
  const partial = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  // Behind `--` stands a server's command, which is no business of ours.
  if (before.includes("--")) return { is: "files" };
  const { command, rest } = commandIn(program, before);
  if (command.commands.length > 0) {
    if (partial.startsWith("-")) return starting(partial, optionsOf(command));
    const names = rest.length === 0 ? [...command.commands.map((one) => one.name()), "help"] : [];
    return starting(partial, names);
  }
  const last = before.at(-1) ?? "";
  const option = command.options.find(({ long, short }) => last === long || last === short);
  if (option !== undefined && (option.required || option.optional)) return valuesOf(option, partial, known);
  if (partial.startsWith("-")) return starting(partial, optionsOf(command));
  const argument = argumentAt(command, rest);
  return argument === undefined ? { is: "words", words: [] } : argumentsOf(argument, partial, known);
}

/** The verb that is named, or the one below it. */
function commandIn(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  const below = program.commands.find((one) => one.name() === words[0]);
  return below === undefined ? { command: program, rest: words } : commandIn(below, words.slice(1));
}

function optionsOf(command: Command): readonly string[] {
  return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
}

/** The argument that comes next, behind options and their values. */
function argumentAt(command: Command, words: readonly string[]): Argument | undefined {
  let given = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const option = command.options.find(({ long, short }) => word === long || word === short);
    if (option?.required) index++;
    else if (option === undefined && !word.startsWith("-")) given++;
  }
  const all = command.registeredArguments;
  return all[given] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined);
}

function valuesOf({ argChoices, flags }: Option, partial: string, known: Known): Completion | Promise<Completion> {
  if (argChoices !== undefined) return starting(partial, argChoices);
  return namedBy(/[<[]([a-z]+)/.exec(flags)?.[1] ?? "", partial, known);
}

function argumentsOf(argument: Argument, partial: string, known: Known): Completion | Promise<Completion> {
  if (argument.argChoices !== undefined) return starting(partial, argument.argChoices);
  return namedBy(argument.name(), partial, known);
}

async function namedBy(what: string, partial: string, known: Known): Promise<Completion> {
  switch (what) {
    case "server":
      return starting(partial, await known.servers());
    case "rule":
      return starting(partial, known.rules);
    case "kind":
      return starting(partial, known.kinds);
    case "path":
    case "file":
    case "folder":
    case "lockfile":
      return { is: "files" };
    default:
      return { is: "words", words: [] };
  }
}

function starting(partial: string, words: readonly string[]): Completion {
  return { is: "words", words: [...new Set(words)].filter((word) => word.startsWith(partial)).sort() };
}
