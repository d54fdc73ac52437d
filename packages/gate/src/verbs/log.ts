import type { Cli } from "../cli/cli.ts";
import { ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { log } from "../commands/log.ts";
import { sayLog } from "../print/say-report.ts";

export function logVerb(cli: Cli): void {
  cli
    .verb("log [server]", "Show the ledger's journal, or check that it is sound.", ["log", "log files", "log --verify"])
    .addOption(ledgerOption)
    .addOption(textOption)
    .option("--verify", "check every hash, event and text")
    .action(async (server: string | undefined, options) => {
      const only = server === undefined ? {} : { server };
      cli.print(await log({ ...only, ...options }, viewFor(options)), options, sayLog);
    });
}
