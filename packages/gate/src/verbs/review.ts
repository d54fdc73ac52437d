import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption } from "../cli/options.ts";
import { atTerminal } from "../cli/terminal.ts";
import { viewFor } from "../cli/view-for.ts";
import { review } from "../commands/review.ts";
import { GateError } from "../gate-error.ts";
import { sayReview } from "../print/say-report.ts";

export function reviewVerb(cli: Cli): void {
  cli
    .verb("review [server]", "Go through what waits for a decision. Needs a terminal.", ["review", "review files"])
    .addOption(ledgerOption)
    .addOption(configOption)
    .option("--unseen", "let what was not displayed be approved too; the ledger says so")
    .action(async (server: string | undefined, options) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY) {
        throw new GateError(
          "USAGE",
          "Cannot review without a terminal; use countersign status <server> --offer and countersign approve <server> --offer <digest> --yes",
        );
      }
      const view = viewFor({ text: true });
      await atTerminal(async (reviewer) => {
        cli.print(
          await review(
            { ...(server === undefined ? {} : { server }), ...given(options), unseen: options.unseen === true },
            reviewer,
            view,
          ),
          options,
          sayReview,
        );
      });
    });
}
