import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption } from "../cli/options.ts";
import { saySignedIn, saySignedOut } from "../print/say-signed-in.ts";
import { personHere } from "../sign-in/person-here.ts";

export function signInVerb(cli: Cli): void {
  cli
    .verb("sign-in <server>", "Sign in to a server at a URL, with a browser, so that it may be used for you.", [
      "sign-in github --url https://mcp.example.com/mcp",
      "sign-in github --no-browser",
    ])
    .addOption(ledgerOption)
    .addOption(configOption)
    .option("--url <url>", "where the server is, if neither the config nor the ledger says so")
    .option("--no-browser", "only say which page is to be opened")
    .action(async (server: string, options) => {
      // With it comes the SDK, which no other verb starts with.
      const { signIn } = await import("../commands/sign-in.ts");
      const stop = new AbortController();
      const stopNow = () => stop.abort();
      process.once("SIGINT", stopNow).once("SIGTERM", stopNow);
      const person = personHere((line) => process.stderr.write(`${line}\n`), options.browser);
      const at = options.url === undefined ? {} : { url: options.url };
      const report = await signIn({ server, ...at, ...given(options), person, signal: stop.signal });
      process.off("SIGINT", stopNow).off("SIGTERM", stopNow);
      cli.print(report, options, saySignedIn);
    });
}

export function signOutVerb(cli: Cli): void {
  cli
    .verb("sign-out <server>", "Revoke the tokens of a server where its issuer can, and forget them.", [
      "sign-out github",
      "sign-out github --url https://mcp.example.com/mcp",
    ])
    .addOption(configOption)
    .option("--url <url>", "only those of this URL")
    .action(async (server: string, options) => {
      const { signOut } = await import("../commands/sign-out.ts");
      const at = options.url === undefined ? {} : { url: options.url };
      cli.print(await signOut({ server, ...at, ...given(options) }), options, saySignedOut);
    });
}
