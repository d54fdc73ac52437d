import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { importLock } from "../commands/import.ts";
import { sayImport } from "../print/say-import.ts";

export function importVerb(cli: Cli): void {
  cli
    .verb(
      "import <lockfile>",
      "Compare what servers last offered with an mcp-lock.json, and say what it does not cover. Approves nothing.",
      ["import mcp-lock.json", "import mcp-lock.json --server db=com.example/postgres"],
    )
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .option("--server <server=name...>", "which server of yours an entry of the lockfile is for")
    .action(async (path: string, { server, ...options }) => {
      const names = server === undefined ? {} : { server };
      cli.print(await importLock({ path, ...names, ...given(options) }, viewFor(options)), options, sayImport);
    });
}
