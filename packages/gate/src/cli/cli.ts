import { visible } from "@countersign/core";
import { Command } from "commander";
import type { ExitCode } from "../gate-error.ts";
import type { View } from "../print/view.ts";
import { version } from "../version.ts";
import { jsonOption, type Output } from "./options.ts";
import { viewFor } from "./view-for.ts";

/** What every command returns: data, and how the process is to end. */
export interface Report {
  readonly exitCode: ExitCode;
}

/** Where a verb says how it is called, and prints what its command returned. */
export interface Cli {
  /** One verb; examples are what stands after `countersign`. */
  verb(name: string, description: string, examples: readonly string[]): Command;
  print<R extends Report>(report: R, output: Output, say: (report: R, view: View) => string): void;
  /** For a report that is printed in part, and says nothing of the rest. */
  exitWith(code: ExitCode): void;
}

/** Verbs under one heading of the help. */
export interface VerbGroup {
  readonly heading: string;
  readonly verbs: readonly ((cli: Cli) => void)[];
}

/** The version of every `--json` output; raised when a key changes its meaning or goes away. */
const jsonVersion = 1;

/** Reads a command line and runs its verb. Resolves to the exit code. */
export async function runCli(groups: readonly VerbGroup[], argv: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = programOf(groups, {
    print(report, output, say) {
      exitCode = report.exitCode;
      const { exitCode: _, ...rest } = report;
      const json = () => JSON.stringify({ version: jsonVersion, ...rest }, null, 2);
      process.stdout.write(`${output.json === true ? json() : say(report, viewFor(output))}\n`);
    },
    exitWith(code) {
      exitCode = code;
    },
  });
  await program.parseAsync(argv, { from: "user" });
  return exitCode;
}

/** All verbs with their options and arguments, and nothing run. */
export function programOf(groups: readonly VerbGroup[], output: Pick<Cli, "print" | "exitWith">): Command {
  const program = new Command("countersign")
    .description("The trust gate between MCP hosts and MCP servers: nothing reaches the model that nobody approved.")
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(visibleLinesOf(text)),
    });
  const cli: Cli = {
    ...output,
    verb(name, description, examples) {
      const lines = examples.map((example) => `  $ countersign ${example}`).join("\n");
      const command = program.command(name).description(description).addOption(jsonOption);
      return command.addHelpText("after", `\nExamples:\n${lines}`);
    },
  };
  for (const { heading, verbs } of groups) {
    program.commandsGroup(heading);
    for (const add of verbs) add(cli);
  }
  program.helpCommand(true); // in the last group
  return program;
}

/** Commander repeats what it was given in its messages. */
function visibleLinesOf(text: string): string {
  return text.split("\n").map(visible).join("\n");
}
