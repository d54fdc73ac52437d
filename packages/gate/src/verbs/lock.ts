import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { lock } from "../commands/lock.ts";
import { sayLock } from "../print/say-lock.ts";

export function lockVerb(cli: Cli): void {
  cli
    .verb("lock [server...]", "Write what is approved into countersign.lock, for version control and CI.", [
      "lock files github",
      "lock",
      "lock --check",
    ])
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .option("--out <path>", "the lockfile; else countersign.lock here or above")
    .option("--remove <server...>", "take servers out of the lockfile")
    .option("--anew", "take nothing over from the lockfile that is there")
    .option("--check", "write nothing, and fail where the lockfile would change")
    .action(async (servers: string[], { out, remove, anew, check, ...options }) => {
      const what = {
        servers,
        ...(out === undefined ? {} : { out }),
        ...(remove === undefined ? {} : { remove }),
        ...(anew === undefined ? {} : { anew }),
        ...(check === undefined ? {} : { check }),
      };
      cli.print(await lock({ ...what, ...given(options) }, viewFor(options)), options, sayLock);
    });
}
