import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { manifest } from "../commands/manifest.ts";
import { sayManifest } from "../print/say-manifest.ts";

export function manifestVerb(cli: Cli): void {
  cli
    .verb(
      "manifest <path>",
      "Judge what a file says, like what a server offers: skills, plugins, .mcpb, server.json, OpenAPI, agent cards.",
      ["manifest ~/.claude/skills", "manifest files.mcpb --against files", "manifest ./plugin --as plugin --dry-run"],
    )
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .option("--as <name>", "the name to keep it under in the ledger (default: that of the file)")
    .option("--against <server>", "compare what it claims with what this server last offered")
    .option("--dry-run", "only look: record nothing")
    .action(async (path: string, { as, against, dryRun, ...options }) => {
      const words = {
        ...(as === undefined ? {} : { as }),
        ...(against === undefined ? {} : { against }),
        ...(dryRun === true ? { dryRun } : {}),
      };
      cli.print(await manifest({ path, ...words, ...given(options) }, viewFor(options)), options, sayManifest);
    });
}
