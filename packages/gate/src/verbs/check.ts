import { visible } from "@countersign/core";
import type { Command } from "@countersign/wire";
import { Option } from "commander";
import type { Cli } from "../cli/cli.ts";
import { configOption, seconds, textOption } from "../cli/options.ts";
import { confirmAtTerminal } from "../cli/terminal.ts";
import { viewFor } from "../cli/view-for.ts";
import { writeSarif } from "../cli/write-sarif.ts";
import { type CheckOptions, check, type StartRow } from "../commands/check.ts";
import { GateError } from "../gate-error.ts";
import { isLockfileTrusted } from "../lock/lockfile-trust.ts";
import { sarifOfCheck } from "../print/sarif-of-check.ts";
import { sayCheck, sayStarts } from "../print/say-check.ts";

export function checkVerb(cli: Cli): void {
  cli
    .verb("check [lockfile] [command...]", "Hold what servers offer now against countersign.lock. For CI.", [
      "check",
      "check --sarif countersign.sarif",
      "check --server files -- node server.js",
      "check --offers ./captured --json",
      "check --no-spawn",
    ])
    .addOption(configOption)
    .addOption(textOption)
    .option("--lockfile <path>", "the lockfile; else the one that is named, or countersign.lock here or above")
    .option("--only <server...>", "check only these")
    .option("--server <name>", "check this one by the command after --, instead of the one that is locked")
    .option("--offers <folder>", "captured offers instead of running servers")
    .option("--no-spawn", "start nothing: check the lockfile itself, and what the project's hosts would start")
    .option("--yes", "start what the lockfile names without a question, outside CI too")
    .addOption(
      new Option("--fail-on <effect>", "findings of what is approved that fail the check")
        .choices(["refuse", "ask", "never"])
        .default("ask"),
    )
    .option("--all", "judge also what is approved under the rules of today")
    .option("--deadline <seconds>", "how long each server may take", seconds, 60)
    .option("--jobs <number>", "how many servers at once", jobs, 4)
    .option("--sarif <file>", "write SARIF 2.1.0 as well; - for instead, to stdout")
    .action(async (lockfile: string | undefined, words: string[], options) => {
      const view = viewFor(options);
      // With --server all words are the command, wherever -- stands.
      const isCommand = options.server !== undefined;
      const path = options.lockfile ?? (isCommand ? undefined : lockfile);
      if (!isCommand && words.length > 0) {
        throw new GateError("USAGE", "Cannot check by a command without --server <name>, which says whose it is");
      }
      const command = isCommand && lockfile !== undefined ? { command: lockfile, args: words } : undefined;
      const report = await check(
        {
          from: fromOf(options, path, command),
          ...(path === undefined ? {} : { path }),
          ...(options.config === undefined ? {} : { config: options.config }),
          ...(options.only === undefined ? {} : { only: options.only }),
          failOn: options.failOn as CheckOptions["failOn"],
          all: options.all === true,
          deadline: options.deadline * 1_000,
          jobs: options.jobs,
        },
        view,
      );
      if (options.sarif === undefined) return cli.print(report, options, sayCheck);
      const sarif = await writeSarif(await sarifOfCheck(report, view), options.sarif);
      if (options.sarif === "-") cli.print(report, {}, () => sarif);
      else cli.print(report, options, sayCheck);
    });
}

interface Words {
  readonly server?: string;
  readonly offers?: string;
  /** False with `--no-spawn`. */
  readonly spawn: boolean;
  readonly yes?: true;
}

function fromOf({ server, offers, spawn, yes }: Words, path: string | undefined, command: Command | undefined) {
  const ways = [server !== undefined, offers !== undefined, !spawn].filter(Boolean).length;
  if (ways > 1) throw new GateError("USAGE", "Cannot check in two ways: give one of --server, --offers and --no-spawn");
  if (server !== undefined) {
    if (command === undefined) {
      throw new GateError(
        "USAGE",
        `Cannot check ${visible(server)} by a command: give it after --, as in: countersign check --server files -- node server.js`,
      );
    }
    return { is: "command", server, command } as const;
  }
  if (offers !== undefined) return { is: "captured", folder: offers } as const;
  if (!spawn) return { is: "nothing" } as const;
  return { is: "spawn", agree: (starts: readonly StartRow[]) => agree(starts, path, yes === true) } as const;
}

/**
 * What a lockfile names is started at once in CI, where everything of the repository is run anyway, and where somebody trusted
 * that very file; else somebody has to see the commands.
 */
async function agree(starts: readonly StartRow[], path: string | undefined, yes: boolean): Promise<boolean> {
  if (yes || isCi(process.env["CI"]) || (await isLockfileTrusted(path))) return true;
  const cannot =
    "Cannot start what the lockfile names: this is not CI, nobody has trusted the lockfile, and there is no terminal to ask at; " +
    `look at the commands and add --yes, or use --no-spawn: ${starts.map(({ server }) => server).join(", ")}`;
  return confirmAtTerminal(cannot, "Start them? [y] yes  [Enter] no ", sayStarts(starts));
}

function isCi(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value.toLowerCase());
}

function jobs(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= 64) return value;
  throw new GateError("USAGE", `Cannot check "${visible(text)}" servers at once; give a number from 1 to 64`);
}
