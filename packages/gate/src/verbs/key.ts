import type { Cli } from "../cli/cli.ts";
import { ledgerOption } from "../cli/options.ts";
import { who } from "../cli/terminal.ts";
import { addKey, listKeys, revokeKeys } from "../commands/key.ts";
import { sayKeyAdded, sayKeys, sayKeysRevoked } from "../print/say-key.ts";

export function keyVerb(cli: Cli): void {
  // `--json` is an option of all three, so it is this one's, wherever it stands.
  const key = cli.verb("key", "Say who may call the gateway: make keys, list them, take them back.", [
    "key add ci --servers files,github --expires 90d",
    "key list",
    "key revoke ci",
  ]);
  key
    .command("add <name>")
    .description("Make a key, and print it this once. Its holder is known by the name.")
    .addOption(ledgerOption)
    .option("--servers <names>", "the only servers that it may use, between commas")
    .option("--expires <time>", "how long it opens anything, as 12h or 90d (default: until it is revoked)")
    .option("--another", "one more key of a name that has one: the same caller, to change from one to the other")
    .option("--reason <text>", "why, for the ledger")
    .action(async (name: string, options) => {
      cli.print(await addKey({ name, by: who(), ...options }), key.opts(), sayKeyAdded);
    });
  key
    .command("list")
    .description("Show the keys: names, identifiers, servers, times. Never the keys themselves.")
    .addOption(ledgerOption)
    .option("--all", "revoked ones as well")
    .action(async (options) => {
      cli.print(await listKeys(options), key.opts(), sayKeys);
    });
  key
    .command("revoke <which>")
    .description("Take back every key of a name, or the one of an identifier, in running gateways too.")
    .addOption(ledgerOption)
    .option("--reason <text>", "why, for the ledger")
    .action(async (which: string, options) => {
      cli.print(await revokeKeys({ which, by: who(), ...options }), key.opts(), sayKeysRevoked);
    });
}
