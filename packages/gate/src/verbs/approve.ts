import { proses } from "@countersign/core";
import { Option } from "commander";
import type { Cli } from "../cli/cli.ts";
import { configOption, ledgerOption } from "../cli/options.ts";
import { who } from "../cli/terminal.ts";
import { approve } from "../commands/approve.ts";
import { GateError } from "../gate-error.ts";
import { sayApproval } from "../print/say-report.ts";

export function approveVerb(cli: Cli): void {
  cli
    .verb("approve <server>", "Approve exactly the definitions that a digest names.", [
      "approve files --offer $(countersign status files --offer) --yes",
      "approve files --offer cs1:sha256:... --yes --clean",
      "approve files --offer cs1:sha256:... --yes --expires 30d",
      "approve files --digest cs1:sha256:... --yes --acknowledge precedence --reason 'vendor says so'",
    ])
    .addOption(ledgerOption)
    .addOption(configOption)
    .option("--offer <digest>", "all that waits of the offer with this full digest")
    .option("--digest <digest>", "the one definition with this full digest")
    .option("--yes", "really approve: there is no question")
    .option("--clean", "leave out whatever has findings that ask or refuse")
    .option("--acknowledge <rule...>", "approve in spite of what these rules find")
    .addOption(new Option("--prose <plan>", "what the model reads of the server's prose").choices([...proses]))
    .option("--set <pointer=text...>", "your own text at these places of the one definition, as in /description=...")
    .option("--close", "forbid arguments that the schema does not declare, in the schema itself")
    .option("--everyone", "approve for all what only some principals of a gateway are offered")
    .option("--unseen", "approve what is too long to be displayed at once, too; the ledger says so")
    .option("--expires <time>", "when it waits for a decision again, as in 12h or 30d; 366d at most")
    .option("--reason <text>", "why, for the ledger")
    .action(async (server: string, options) => {
      if (options.yes !== true) {
        throw new GateError("USAGE", `Cannot approve without --yes; to look first, use countersign review ${server}`);
      }
      cli.print(await approve({ server, by: who(), ...options }), options, sayApproval);
    });
}
