import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { explain } from "../commands/explain.ts";
import { sayExplanation } from "../print/say-explanation.ts";

export function explainVerb(cli: Cli): void {
  cli
    .verb(
      "explain <rule> [server]",
      "Say what a rule looks for, why, and what a server's author can do; or what it found.",
      ["explain html-comment", "explain reads-as-order files --text"],
    )
    .addOption(ledgerOption)
    .addOption(configOption)
    .addOption(textOption)
    .action(async (rule: string, server: string | undefined, options) => {
      const about = { ...(server === undefined ? {} : { server }), ...given(options) };
      cli.print(await explain(rule, about, viewFor(options)), options, sayExplanation);
    });
}
