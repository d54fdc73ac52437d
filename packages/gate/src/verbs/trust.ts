import { basename } from "node:path";
import type { Cli } from "../cli/cli.ts";
import { confirmAtTerminal, who } from "../cli/terminal.ts";
import { viewFor } from "../cli/view-for.ts";
import type { Places } from "../commands/open.ts";
import { type Examined, listTrusts, trust } from "../commands/trust.ts";
import { type ExaminedLockfile, trustLockfile } from "../commands/trust-lockfile.ts";
import { lockfileName } from "../lock/lockfile-at.ts";
import { sayExamined, sayTrust, sayTrusts } from "../print/say-trust.ts";
import { sayExaminedLockfile, sayTrustLockfile } from "../print/say-trust-lockfile.ts";

export function trustVerb(cli: Cli): void {
  cli
    .verb("trust [path]", "Let a repository's config, lockfile or ledger count as the user's own, as it is now.", [
      "trust",
      "trust ./countersign.jsonc --yes",
      "trust --ledger ./ledger.db",
      "trust ./countersign.lock",
      "trust --list",
    ])
    .option("--ledger", "the path is that of a ledger")
    .option("--lockfile", "the path is that of a lockfile; countersign.lock is one without it")
    .option("--digest <digest>", "of the lockfile that was looked at, where there is no terminal")
    .option("--list", "show what is trusted")
    .option("--yes", "really trust: there is no question")
    .action(async (path: string | undefined, options) => {
      if (options.list === true) return cli.print(await listTrusts(), options, sayTrusts);
      if (path !== undefined && (options.lockfile === true || basename(path) === lockfileName)) {
        const view = viewFor(options);
        const what = { path, ...(options.digest === undefined ? {} : { digest: options.digest }) };
        const sure = options.yes === true && options.digest !== undefined;
        const report = await trustLockfile(
          {
            ...what,
            ...placesNamed(),
          },
          sure ? async () => true : agreeToLockfile,
          who(),
          view,
        );
        return cli.print(report, options, sayTrustLockfile);
      }
      const what = { ...(path === undefined ? {} : { path }), ledger: options.ledger === true };
      cli.print(await trust(what, options.yes === true ? async () => true : agree, who()), options, sayTrust);
    });
}

function placesNamed(): Places {
  const { COUNTERSIGN_LEDGER: ledger, COUNTERSIGN_CONFIG: config } = process.env;
  return { ...(ledger === undefined ? {} : { ledger }), ...(config === undefined ? {} : { config }) };
}

function agreeToLockfile(examined: ExaminedLockfile): Promise<boolean> {
  const cannot = `Cannot trust a lockfile without a terminal, where somebody is asked; look at it, then add --yes --digest ${examined.digest}`;
  return confirmAtTerminal(cannot, "Approve this here? [y] yes  [Enter] no ", sayExaminedLockfile(examined));
}

function agree(examined: Examined): Promise<boolean> {
  const cannot = "Cannot trust without a terminal, where somebody is asked, and without --yes";
  return confirmAtTerminal(cannot, "Trust it? [y] yes  [Enter] no ", sayExamined(examined));
}
