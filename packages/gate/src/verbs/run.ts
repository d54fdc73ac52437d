import type { Cli } from "../cli/cli.ts";
import { configOption, ledgerOption } from "../cli/options.ts";
import { GateError } from "../gate-error.ts";

export function runVerb(cli: Cli): void {
  cli
    .verb(
      "run <server> [command...]",
      "Stand between a host and a server: what a host's config calls instead of the server.",
      [
        "run files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31 ~/notes",
        "run github --url https://mcp.example.com/mcp --header 'Authorization: Bearer $" + "{TOKEN}'",
      ],
    )
    .addOption(ledgerOption)
    .addOption(configOption)
    .option("--workspace <none>", "none: it is the same server in whatever folder a host starts it")
    .option("--url <url>", "reach the server there: https, or http on this machine")
    .option(
      "--header <header>",
      "a header of every request to --url; $" + "{NAME} stands for a variable, put in at the start only",
    )
    .option("--header-from <name=VARIABLE>", "a header whose whole value is that of a variable")
    .option("--transport <kind>", "of --url: auto, http (Streamable HTTP) or sse (the older HTTP with SSE)")
    .option("--no-browser", "where --url asks who you are, only say which page is to be opened")
    .action(() => {
      throw new GateError(
        "USAGE",
        "Cannot run a server without a command; give it after --, as in: countersign run files -- npx -y some-server; or its --url",
      );
    });
}
