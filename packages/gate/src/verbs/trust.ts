import type { Cli } from "../cli/cli.ts";
import { confirmAtTerminal, who } from "../cli/terminal.ts";
import { type Examined, listTrusts, trust } from "../commands/trust.ts";
import { sayExamined, sayTrust, sayTrusts } from "../print/say-trust.ts";

export function trustVerb(cli: Cli): void {
  cli
    .verb("trust [path]", "Let a repository's config, or a ledger in it, count as the user's own, as it is now.", [
      "trust",
      "trust ./countersign.jsonc --yes",
      "trust --ledger ./ledger.db",
      "trust --list",
    ])
    .option("--ledger", "the path is that of a ledger")
    .option("--list", "show what is trusted")
    .option("--yes", "really trust: there is no question")
    .action(async (path: string | undefined, options) => {
      if (options.list === true) return cli.print(await listTrusts(), options, sayTrusts);
      const what = { ...(path === undefined ? {} : { path }), ledger: options.ledger === true };
      cli.print(await trust(what, options.yes === true ? async () => true : agree, who()), options, sayTrust);
    });
}

function agree(examined: Examined): Promise<boolean> {
  const cannot = "Cannot trust without a terminal, where somebody is asked, and without --yes";
  return confirmAtTerminal(cannot, "Trust it? [y] yes  [Enter] no ", sayExamined(examined));
}
