import type { Cli } from "../cli/cli.ts";
import { configOption, ledgerOption } from "../cli/options.ts";
import { confirmAtTerminal, who } from "../cli/terminal.ts";
import { bypass } from "../commands/bypass.ts";
import { sayBypassed } from "../print/say-report.ts";

export function bypassVerb(cli: Cli): void {
  cli
    .verb(
      "bypass <server>",
      "Let everything of a server pass for a while, approved or not. It is recorded, and ends by itself.",
      ["bypass files --for 1h --reason 'release tonight'", "bypass files --end"],
    )
    .addOption(ledgerOption)
    .addOption(configOption)
    .option("--for <time>", "how long, as 90s, 30m or 1h; 24h at most")
    .option("--end", "end it now")
    .option("--yes", "really let everything pass: there is no question")
    .option("--reason <text>", "why, for the ledger")
    .action(async (server: string, options) => {
      const confirm = options.yes === true ? async () => true : agree;
      cli.print(await bypass({ server, by: who(), ...options, confirm }), options, sayBypassed);
    });
}

function agree(question: string): Promise<boolean> {
  return confirmAtTerminal("Cannot bypass a server without --yes where there is no terminal to ask at", question);
}
