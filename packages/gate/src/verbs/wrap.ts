import { visible } from "@countersign/core";
import { Option } from "commander";
import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, seconds } from "../cli/options.ts";
import { atTerminal } from "../cli/terminal.ts";
import { viewFor } from "../cli/view-for.ts";
import { unwrap } from "../commands/unwrap.ts";
import { type Asking, wrap } from "../commands/wrap.ts";
import { GateError } from "../gate-error.ts";
import { type HostId, hostIds } from "../hosts/host-id.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { sayUnwrap, sayWrap } from "../print/say-wrap.ts";

const onlyOption = () =>
  new Option("--only <name>", "only the entry of this name, be it a project's or a plugin's; may be repeated")
    .argParser((name: string, before: readonly string[]) => [...before, name])
    .default([], "all that you wrote");
const dryRunOption = () => new Option("--dry-run", "show what would be written, and write nothing");

export function wrapVerb(cli: Cli): void {
  cli
    .verb("wrap [host...]", "Put the gate in front of the servers in the files of your hosts.", [
      "wrap",
      "wrap claude-code vscode",
      "wrap --dry-run",
    ])
    .addOption(onlyOption())
    .addOption(dryRunOption())
    .option("--yes", "ask nobody: rewrite the files and approve nothing")
    .option("--deadline <seconds>", "how long each server may take (default 60)", seconds)
    .addOption(ledgerOption)
    .addOption(configOption)
    .action(async (hosts: string[], options) => {
      const chosen = { hosts: hosts.map(hostNamed), only: options.only, dryRun: options.dryRun === true };
      const asks = !chosen.dryRun && options.yes !== true;
      const view = viewFor({ text: asks });
      const use = async (reviewer: Asking["reviewer"]) => {
        await tellingWhatWasDone(async (done) => {
          const report = await wrap(
            {
              ...chosen,
              ...given(options),
              deadline: options.deadline === undefined ? 60_000 : options.deadline * 1_000,
            },
            surroundingsHere(),
            {
              reviewer,
              view,
              done,
            },
          );
          cli.print(withoutTexts(report, options), options, sayWrap);
        });
      };
      if (!asks) return use(undefined);
      mustBeTerminal("wrap");
      await atTerminal(use);
    });
}

export function unwrapVerb(cli: Cli): void {
  cli
    .verb("unwrap [host...]", "Take the gate away from the servers in the files of your hosts again.", [
      "unwrap",
      "unwrap cursor",
      "unwrap --dry-run",
    ])
    .addOption(onlyOption())
    .addOption(dryRunOption())
    .option("--yes", "without a terminal, too")
    .action(async (hosts: string[], options) => {
      const chosen = { hosts: hosts.map(hostNamed), only: options.only, dryRun: options.dryRun === true };
      if (!chosen.dryRun && options.yes !== true) mustBeTerminal("unwrap");
      await tellingWhatWasDone(async (done) => {
        const report = await unwrap(chosen, surroundingsHere(), done);
        cli.print(withoutTexts(report, options), options, sayUnwrap);
      });
    });
}

function mustBeTerminal(verb: string): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new GateError(
    "USAGE",
    `Cannot ${verb} without a terminal, where nobody can be asked; see what it would do with --dry-run, or add --yes${verb === "wrap" ? ", which approves nothing" : ""}`,
  );
}

/** The texts are for a diff, and may hold secrets. */
function withoutTexts<R extends { readonly files: readonly { readonly path: string }[] }>(
  report: R,
  { json }: { readonly json?: boolean },
): R {
  if (json !== true) return report;
  return { ...report, files: report.files.map(({ before: _, after: __, ...file }: Record<string, unknown>) => file) };
}

/** Each file is rewritten as a whole or not at all, so whoever stops this in between only has to know which. */
async function tellingWhatWasDone(use: (done: (file: { readonly path: string }) => void) => Promise<void>) {
  const paths: string[] = [];
  const stop = () => {
    const written = paths.map((path) => `rewrote "${visible(path)}"`);
    const said = written.length === 0 ? "no file was rewritten" : written.join("; ");
    process.stderr.write(`\ncountersign: stopped; ${said}\n`);
    process.exit(130);
  };
  process.once("SIGINT", stop);
  try {
    await use(({ path }) => paths.push(path));
  } finally {
    process.removeListener("SIGINT", stop);
  }
}

function hostNamed(text: string): HostId {
  const host = hostIds.find((id) => id === text);
  if (host !== undefined) return host;
  throw new GateError("USAGE", `Cannot find the host "${visible(text)}"; these are known: ${hostIds.join(", ")}`);
}
