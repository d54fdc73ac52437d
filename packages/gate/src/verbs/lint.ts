import { Option } from "commander";
import type { Cli } from "../cli/cli.ts";
import { configOption, given, seconds, textOption } from "../cli/options.ts";
import { headerOption, targetIn, transportOption, urlOption } from "../cli/remote-options.ts";
import { viewFor } from "../cli/view-for.ts";
import { lint } from "../commands/lint.ts";
import { GateError } from "../gate-error.ts";
import { type Taker, takers } from "../lint/provider-limits.ts";
import { sayLint } from "../print/say-lint.ts";

export function lintVerb(cli: Cli): void {
  cli
    .verb(
      "lint [command...]",
      "For a server's author: what the gates find and how to mend it, what providers reject, what it costs, and what users will be asked about.",
      [
        "lint -- node dist/server.js",
        "lint --name files --against my-server@latest -- node dist/server.js",
        "lint --provider openai gemini --json -- python -m my_server",
        "lint --url http://localhost:3000/mcp",
      ],
    )
    .addOption(configOption)
    .addOption(textOption)
    .addOption(urlOption)
    .addOption(headerOption)
    .addOption(transportOption)
    .option("--name <server>", "what users will call the server; hosts put it before the names of tools", "server")
    .option(
      "--against <release>",
      "a package of npm's, a command line or a URL that is the last release: what changed since, as its users will see it",
    )
    .addOption(new Option("--provider <names...>", "only the limits of these").choices(takers))
    .option("--deadline <seconds>", "how long each server may take", seconds)
    .action(async (words: string[], options) => {
      const target = targetIn(options, words, "lint a server");
      if (target === undefined)
        throw new GateError("USAGE", "Cannot lint nothing: give the server's command after --, or its --url");
      const { name, against, provider, deadline } = options as typeof options & { provider?: readonly Taker[] };
      const asked = {
        ...(against === undefined ? {} : { against }),
        ...(provider === undefined ? {} : { takers: provider }),
        ...(deadline === undefined ? {} : { deadline: deadline * 1_000 }),
      };
      const report = await lint({ server: name, target, ...given(options), ...asked }, viewFor(options));
      cli.print(report, options, sayLint);
    });
}
