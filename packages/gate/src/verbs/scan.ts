import { availableParallelism } from "node:os";
import { Option } from "commander";
import type { Cli } from "../cli/cli.ts";
import { configOption, given, seconds, textOption } from "../cli/options.ts";
import { headerOption, targetIn, transportOption, urlOption } from "../cli/remote-options.ts";
import { atTerminal } from "../cli/terminal.ts";
import { viewFor } from "../cli/view-for.ts";
import { writeSarif } from "../cli/write-sarif.ts";
import { scan } from "../commands/scan.ts";
import { type Asked, type ScanHostsOptions, type ScanHostsReport, scanHosts } from "../commands/scan-hosts.ts";
import { GateError } from "../gate-error.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { sarifOfScan } from "../print/sarif-of-scan.ts";
import { sayScan } from "../print/say-report.ts";
import { sayAsked, sayScanHosts } from "../print/say-scan-hosts.ts";

export function scanVerb(cli: Cli): void {
  cli
    .verb(
      "scan [server] [command...]",
      "Find the servers of every host on this machine, or name one; look at what they offer, and judge it. Approves nothing, writes nothing.",
      [
        "scan",
        "scan --only vscode --only github",
        "scan --no-spawn --verbose",
        "scan files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
        "scan files --json -- node server.js",
        "scan github --url https://mcp.example.com/mcp",
      ],
    )
    .addOption(configOption)
    .addOption(textOption)
    .addOption(urlOption)
    .addOption(headerOption)
    .addOption(transportOption)
    .option("--deadline <seconds>", "how long each server may take (default 60)", seconds)
    .option("--jobs <n>", "how many servers are started at the same time", jobs)
    .option("--only <name>", "only this host, or this server; may be repeated", collected)
    .addOption(
      new Option("--spawn <id>", "start the entry with this id without asking; may be repeated").argParser(collected),
    )
    .option("--no-spawn", "start nothing, only list what is there")
    .option("--sarif <file>", "of one server, write SARIF 2.1.0 as well; - for instead, to stdout")
    .option("--verbose", "every place that was searched, and each server as it is done")
    .action(async (server: string | undefined, words: string[], options) => {
      const view = viewFor(options);
      const deadline = options.deadline === undefined ? {} : { deadline: options.deadline * 1_000 };
      if (server !== undefined) {
        const other = ["jobs", "only", "spawn", "verbose"].find((name) => options[name as "jobs"] !== undefined);
        if (other !== undefined)
          throw new GateError("USAGE", `Cannot scan one server with --${other}: it is for scan without a name`);
        const target = targetIn(options, words, "scan one server");
        if (target === undefined) {
          throw new GateError(
            "USAGE",
            "Cannot scan a server by its name alone: give its command after --, its --url, or use --only <name> for one in a host's file",
          );
        }
        const report = await scan({ server, target, ...given(options), ...deadline }, view);
        if (options.sarif === undefined) return cli.print(report, options, sayScan);
        const sarif = await writeSarif(await sarifOfScan(report, view), options.sarif);
        if (options.sarif === "-") cli.print(report, {}, () => sarif);
        else cli.print(report, options, sayScan);
        return;
      }
      if (options.url !== undefined || options.header !== undefined || options.transport !== undefined)
        throw new GateError(
          "USAGE",
          "Cannot scan a URL without a name: give one for the server, as in: countersign scan github --url <url>",
        );
      if (options.sarif !== undefined)
        throw new GateError("USAGE", "Cannot write SARIF of many servers: name one, with its command after --");
      const { config } = given(options);
      const verbose = options.verbose === true;
      const interrupted = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
      const wanted: Omit<ScanHostsOptions, "ask"> = {
        surroundings: surroundingsHere(),
        ...(config === undefined ? {} : { config }),
        ...(options.only === undefined ? {} : { only: options.only }),
        noSpawn: options.spawn === false,
        spawn: Array.isArray(options.spawn) ? options.spawn : [],
        jobs: options.jobs ?? Math.max(2, Math.min(8, availableParallelism())),
        deadline: options.deadline === undefined ? 60_000 : options.deadline * 1_000,
        stop: interrupted.signal,
        progress: ({ server: name, done, of }) => {
          if (verbose || process.stderr.isTTY === true) process.stderr.write(`[${done}/${of}] ${name}\n`);
        },
      };
      const say = (report: ScanHostsReport) => sayScanHosts(report, view, verbose);
      if (options.json === true || !process.stdin.isTTY || !process.stdout.isTTY) {
        cli.print(await scanHosts(wanted, view), options, say);
        return;
      }
      const stopped = new Promise<undefined>((resolve) =>
        interrupted.signal.addEventListener("abort", () => resolve(undefined)),
      );
      await atTerminal(async (reviewer) => {
        const ask = async (asked: Asked) => {
          reviewer.say(sayAsked(asked));
          const asking = reviewer.ask("start it, and look? [y] yes  [Enter] no  [q] ask no more ");
          const answer = await Promise.race([asking, stopped]);
          if (answer === undefined || answer.trim().toLowerCase() === "q") return "gone";
          return answer.trim().toLowerCase() === "y" ? "yes" : "no";
        };
        cli.print(await scanHosts({ ...wanted, ask }, view), options, say);
      });
    });
}

function jobs(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 64) return value;
  throw new GateError("USAGE", "Cannot start that many servers at the same time; give a number from 1 to 64");
}

function collected(text: string, before: readonly string[] | boolean | undefined): readonly string[] {
  return [...(Array.isArray(before) ? before : []), text];
}
