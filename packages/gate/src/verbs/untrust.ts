import type { Cli } from "../cli/cli.ts";
import { untrust } from "../commands/trust.ts";
import { sayUntrust } from "../print/say-trust.ts";

export function untrustVerb(cli: Cli): void {
  cli
    .verb("untrust [path]", "Take the trust in a repository's config or ledger away.", [
      "untrust",
      "untrust ./ledger.db",
    ])
    .action(async (path: string | undefined, options) => {
      cli.print(await untrust(path === undefined ? {} : { path }), options, sayUntrust);
    });
}
