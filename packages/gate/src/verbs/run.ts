import type { Cli } from "../cli/cli.ts";
import { configOption, ledgerOption } from "../cli/options.ts";
import { GateError } from "../gate-error.ts";

export function runVerb(cli: Cli): void {
  cli
    .verb(
      "run <server> [command...]",
      "Stand between a host and a server: what a host's config calls instead of the server.",
      ["run files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31 ~/notes"],
    )
    .addOption(ledgerOption)
    .addOption(configOption)
    .option("--workspace <none>", "none: it is the same server in whatever folder a host starts it")
    .action(() => {
      throw new GateError(
        "USAGE",
        "Cannot run a server without a command; give it after --, as in: countersign run files -- npx -y some-server",
      );
    });
}
