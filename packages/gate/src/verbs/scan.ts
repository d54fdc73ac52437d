import type { Cli } from "../cli/cli.ts";
import { configOption, given, seconds, textOption } from "../cli/options.ts";
import { viewFor } from "../cli/view-for.ts";
import { scan } from "../commands/scan.ts";
import { sayScan } from "../print/say-report.ts";

export function scanVerb(cli: Cli): void {
  cli
    .verb(
      "scan <server> <command...>",
      "Look at what a server offers, and judge it. Approves nothing, records nothing.",
      ["scan files -- npx -y @modelcontextprotocol/server-filesystem ~/notes", "scan files --json -- node server.js"],
    )
    .addOption(configOption)
    .addOption(textOption)
    .option("--deadline <seconds>", "how long the server may take", seconds)
    .action(async (server: string, [command = "", ...args]: string[], options) => {
      const deadline = options.deadline === undefined ? {} : { deadline: options.deadline * 1_000 };
      cli.print(
        await scan({ server, command: { command, args }, ...given(options), ...deadline }, viewFor(options)),
        options,
        sayScan,
      );
    });
}
