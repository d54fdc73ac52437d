import type { Cli } from "../cli/cli.ts";
import { configOption, ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { rewrite } from "../commands/rewrite.ts";
import { sayRewrite } from "../print/say-rewrite.ts";

export function rewriteVerb(cli: Cli): void {
  cli
    .verb(
      "rewrite <server>",
      "Draft texts of your own for what a server last offered, as a config to edit: without what the rules speak against.",
      ["rewrite files", "rewrite files --tool read_file", "rewrite files --flagged --out drafts.jsonc"],
    )
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .option("--tool <name>", "only the tool of this name")
    .option("--flagged", "only definitions that a rule speaks against")
    .option("--out <file>", "write the draft to a new file instead of showing it")
    .option("--force", "write over the file if it is there")
    .action(async (server: string, options) => {
      cli.print(await rewrite({ server, ...options }, viewFor(options)), options, sayRewrite);
    });
}
