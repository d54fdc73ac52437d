import type { Cli } from "../cli/cli.ts";
import { configOption, given, ledgerOption } from "../cli/options.ts";
import { sayCheckGateway } from "../print/say-check-gateway.ts";

export function gatewayVerb(cli: Cli): void {
  cli
    .verb("gateway", "Serve the servers of your config over HTTP, each behind the gate: /<server>/mcp.", [
      "gateway --check",
      "gateway --listen 127.0.0.1:7420",
      "gateway --listen 0.0.0.0:443 --tls-cert /etc/countersign/cert.pem --tls-key /etc/countersign/key.pem --log json",
    ])
    .addOption(ledgerOption)
    .addOption(configOption)
    .option("--listen <address>", "where to listen, as in 127.0.0.1:7420 or [::1]:7420")
    .option("--tls-cert <file>", "a certificate with its chain, in PEM")
    .option("--tls-key <file>", "its key, in PEM")
    .option("--anonymous", "let in whoever calls without a credential")
    .option("--behind-tls-proxy", "something in front of it ends TLS, so plain HTTP may leave this machine")
    .option("--log <format>", "json or text: how a line of the log on stderr is written")
    .option("--debug", "log every request too, and what hosts and servers wrote, made visible")
    .option("--check", "say what would be served and how each server is reached, and end")
    .action(async (options) => {
      const called = { flags: options, ...given(options) };
      if (options.check === true) {
        const { checkGateway } = await import("../commands/check-gateway.ts");
        cli.print(await checkGateway(called), options, sayCheckGateway);
        return;
      }
      // Its libraries are nobody else's.
      const { gateway } = await import("../commands/gateway.ts");
      const code = await gateway({
        ...{ ...called, debug: options.debug === true },
        write: (line) => process.stderr.write(`${line}\n`),
        onSignal: (listener) => {
          for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => listener(signal));
        },
      });
      cli.exitWith(code);
    });
}
