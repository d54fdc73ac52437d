import type { Cli } from "../cli/cli.ts";
import { configOption, ledgerOption } from "../cli/options.ts";
import { who } from "../cli/terminal.ts";
import { reject, revoke } from "../commands/withdraw.ts";
import { sayWithdrawal } from "../print/say-report.ts";

export function withdrawVerbs(cli: Cli): void {
  for (const [name, description, act, done] of [
    ["reject", "Decide against what waits; it stays out until somebody approves that very digest.", reject, "rejected"],
    ["revoke", "Take approvals back; a running host loses them with its next list or call.", revoke, "revoked"],
  ] as const) {
    cli
      .verb(`${name} <server> [kind] [name]`, description, [
        `${name} files tool write_file --reason 'not needed'`,
        `${name} files --all`,
      ])
      .addOption(ledgerOption)
      .addOption(configOption)
      .option("--all", `everything of the server that can be ${done}`)
      .option("--reason <text>", "why, for the ledger")
      .action(async (server: string, kind: string | undefined, definition: string | undefined, options) => {
        const one = {
          ...(kind === undefined ? {} : { kind }),
          ...(definition === undefined ? {} : { name: definition }),
        };
        cli.print(await act({ server, ...one, by: who(), ...options }), options, (report) =>
          sayWithdrawal(report, done),
        );
      });
  }
}
