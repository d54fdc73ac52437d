import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { status } from "../commands/status.ts";
import { sayStatus } from "../print/say-report.ts";

export function statusVerb(cli: Cli): void {
  cli
    .verb("status [server]", "Show what is bound, what is withheld, and why.", [
      "status",
      "status files",
      "status files --offer",
    ])
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .option("--offer", "print only the digest of the offer that waits")
    .action(async (server: string | undefined, options) => {
      const report = await status({ ...(server === undefined ? {} : { server }), ...given(options) }, viewFor(options));
      cli.print(report, options, (one, view) => sayStatus(one, view, options.offer === true));
      if (options.offer === true) cli.exitWith(0);
    });
}
