import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { proses, visible } from "@countersign/core";
import { Command, Option } from "commander";
import { approve } from "./commands/approve.ts";
import { bypass } from "./commands/bypass.ts";
import { doctor } from "./commands/doctor.ts";
import { explain } from "./commands/explain.ts";
import { importLock } from "./commands/import.ts";
import { log } from "./commands/log.ts";
import { plant } from "./commands/plant.ts";
import { prove } from "./commands/prove.ts";
import { review } from "./commands/review.ts";
import { rewrite } from "./commands/rewrite.ts";
import { scan } from "./commands/scan.ts";
import type { Reviewer } from "./commands/show-and-ask.ts";
import { status } from "./commands/status.ts";
import { type Examined, listTrusts, trust, untrust } from "./commands/trust.ts";
import { reject, revoke } from "./commands/withdraw.ts";
import { type ExitCode, GateError } from "./gate-error.ts";
import { sayDoctor } from "./print/say-doctor.ts";
import { sayExplanation } from "./print/say-explanation.ts";
import { sayImport } from "./print/say-import.ts";
import { sayPlanting } from "./print/say-planting.ts";
import { sayProof } from "./print/say-proof.ts";
import { sayApproval, sayBypassed, sayLog, sayReview, sayScan, sayStatus, sayWithdrawal } from "./print/say-report.ts";
import { sayRewrite } from "./print/say-rewrite.ts";
import { sayExamined, sayTrust, sayTrusts, sayUntrust } from "./print/say-trust.ts";
import type { View } from "./print/view.ts";
import { version } from "./version.ts";

interface Report {
  readonly exitCode: ExitCode;
}

interface Output {
  readonly json?: boolean;
  readonly text?: boolean;
}

/** The version of every `--json` output; raised when a key changes its meaning or goes away. */
const jsonVersion = 1;

/** All commands but `run`, which starts without any of this. Resolves to the exit code. */
export async function runProgram(argv: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = new Command("countersign")
    .description("The trust gate between MCP hosts and MCP servers: nothing reaches the model that nobody approved.")
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(visibleLinesOf(text)),
    });

  const print = <R extends Report>(report: R, output: Output, say: (report: R, view: View) => string) => {
    exitCode = report.exitCode;
    const { exitCode: _, ...rest } = report;
    process.stdout.write(
      `${output.json === true ? JSON.stringify({ version: jsonVersion, ...rest }, null, 2) : say(report, viewOf(output))}\n`,
    );
  };

  const ledger = new Option("--ledger <path>", "the ledger to use").env("COUNTERSIGN_LEDGER");
  const config = new Option("--config <path>", "the config to use").env("COUNTERSIGN_CONFIG");
  const json = new Option("--json", "machine-readable output");
  const text = new Option("--text", "show what servers wrote even where the output is no terminal");
  const verb = (name: string, description: string, examples: readonly string[]) => {
    const lines = examples.map((example) => `  $ countersign ${example}`).join("\n");
    return program.command(name).description(description).addHelpText("after", `\nExamples:\n${lines}`).addOption(json);
  };

  verb(
    "run <server> [command...]",
    "Stand between a host and a server: what a host's config calls instead of the server.",
    ["run files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31 ~/notes"],
  )
    .addOption(ledger)
    .addOption(config)
    .action(() => {
      throw new GateError(
        "USAGE",
        "Cannot run a server without a command; give it after --, as in: countersign run files -- npx -y some-server",
      );
    });

  verb("scan <server> <command...>", "Look at what a server offers, and judge it. Approves nothing, records nothing.", [
    "scan files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
    "scan files --json -- node server.js",
  ])
    .addOption(config)
    .addOption(text)
    .option("--deadline <seconds>", "how long the server may take", seconds)
    .action(async (server: string, [command = "", ...args]: string[], options) => {
      const deadline = options.deadline === undefined ? {} : { deadline: options.deadline * 1_000 };
      print(
        await scan({ server, command: { command, args }, ...given(options), ...deadline }, viewOf(options)),
        options,
        sayScan,
      );
    });

  verb("status [server]", "Show what is bound, what is withheld, and why.", [
    "status",
    "status files",
    "status files --offer",
  ])
    .addOption(ledger)
    .addOption(config)
    .addOption(text)
    .option("--offer", "print only the digest of the offer that waits")
    .action(async (server: string | undefined, options) => {
      const report = await status({ ...(server === undefined ? {} : { server }), ...given(options) }, viewOf(options));
      print(report, options, (one, view) => sayStatus(one, view, options.offer === true));
      if (options.offer === true) exitCode = 0;
    });

  verb("review [server]", "Go through what waits for a decision. Needs a terminal.", ["review", "review files"])
    .addOption(ledger)
    .addOption(config)
    .option("--unseen", "let what was not displayed be approved too; the ledger says so")
    .action(async (server: string | undefined, options) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY) {
        throw new GateError(
          "USAGE",
          "Cannot review without a terminal; use countersign status <server> --offer and countersign approve <server> --offer <digest> --yes",
        );
      }
      const view = viewOf({ text: true });
      await atTerminal(async (reviewer) => {
        print(
          await review(
            { ...(server === undefined ? {} : { server }), ...given(options), unseen: options.unseen === true },
            reviewer,
            view,
          ),
          options,
          sayReview,
        );
      });
    });

  verb("approve <server>", "Approve exactly the definitions that a digest names.", [
    "approve files --offer $(countersign status files --offer) --yes",
    "approve files --offer cs1:sha256:... --yes --clean",
    "approve files --digest cs1:sha256:... --yes --acknowledge precedence --reason 'vendor says so'",
  ])
    .addOption(ledger)
    .addOption(config)
    .option("--offer <digest>", "all that waits of the offer with this full digest")
    .option("--digest <digest>", "the one definition with this full digest")
    .option("--yes", "really approve: there is no question")
    .option("--clean", "leave out whatever has findings that ask or refuse")
    .option("--acknowledge <rule...>", "approve in spite of what these rules find")
    .addOption(new Option("--prose <plan>", "what the model reads of the server's prose").choices([...proses]))
    .option("--set <pointer=text...>", "your own text at these places of the one definition, as in /description=...")
    .option("--close", "forbid arguments that the schema does not declare, in the schema itself")
    .option("--unseen", "approve what is too long to be displayed at once, too; the ledger says so")
    .option("--reason <text>", "why, for the ledger")
    .action(async (server: string, options) => {
      if (options.yes !== true) {
        throw new GateError("USAGE", `Cannot approve without --yes; to look first, use countersign review ${server}`);
      }
      print(await approve({ server, by: who(), ...options }), options, sayApproval);
    });

  for (const [name, description, act, done] of [
    ["reject", "Decide against what waits; it stays out until somebody approves that very digest.", reject, "rejected"],
    ["revoke", "Take approvals back; a running host loses them with its next list or call.", revoke, "revoked"],
  ] as const) {
    verb(`${name} <server> [kind] [name]`, description, [
      `${name} files tool write_file --reason 'not needed'`,
      `${name} files --all`,
    ])
      .addOption(ledger)
      .addOption(config)
      .option("--all", `everything of the server that can be ${done}`)
      .option("--reason <text>", "why, for the ledger")
      .action(async (server: string, kind: string | undefined, definition: string | undefined, options) => {
        const one = {
          ...(kind === undefined ? {} : { kind }),
          ...(definition === undefined ? {} : { name: definition }),
        };
        print(await act({ server, ...one, by: who(), ...options }), options, (report) => sayWithdrawal(report, done));
      });
  }

  verb(
    "bypass <server>",
    "Let everything of a server pass for a while, approved or not. It is recorded, and ends by itself.",
    ["bypass files --for 1h --reason 'release tonight'", "bypass files --end"],
  )
    .addOption(ledger)
    .addOption(config)
    .option("--for <time>", "how long, as 90s, 30m or 1h; 24h at most")
    .option("--end", "end it now")
    .option("--yes", "really let everything pass: there is no question")
    .option("--reason <text>", "why, for the ledger")
    .action(async (server: string, options) => {
      const confirm = options.yes === true ? async () => true : confirmAtTerminal;
      print(await bypass({ server, by: who(), ...options, confirm }), options, sayBypassed);
    });

  verb("trust [path]", "Let a repository's config, or a ledger in it, count as the user's own, as it is now.", [
    "trust",
    "trust ./countersign.jsonc --yes",
    "trust --ledger ./ledger.db",
    "trust --list",
  ])
    .option("--ledger", "the path is that of a ledger")
    .option("--list", "show what is trusted")
    .option("--yes", "really trust: there is no question")
    .action(async (path: string | undefined, options) => {
      if (options.list === true) return print(await listTrusts(), options, sayTrusts);
      const what = { ...(path === undefined ? {} : { path }), ledger: options.ledger === true };
      print(await trust(what, options.yes === true ? async () => true : agreeAtTerminal, who()), options, sayTrust);
    });

  verb("untrust [path]", "Take the trust in a repository's config or ledger away.", [
    "untrust",
    "untrust ./ledger.db",
  ]).action(async (path: string | undefined, options) => {
    print(await untrust(path === undefined ? {} : { path }), options, sayUntrust);
  });

  verb("log [server]", "Show the ledger's journal, or check that it is sound.", ["log", "log files", "log --verify"])
    .addOption(ledger)
    .addOption(text)
    .option("--verify", "check every hash, event and text")
    .action(async (server: string | undefined, options) => {
      const only = server === undefined ? {} : { server };
      print(await log({ ...only, ...options }, viewOf(options)), options, sayLog);
    });

  verb("doctor [server]", "Look for what may be amiss, and say what to do: one line for each fact.", [
    "doctor",
    "doctor files",
  ])
    .addOption(ledger)
    .addOption(config)
    .addOption(text)
    .action(async (server: string | undefined, options) => {
      const only = server === undefined ? {} : { server };
      print(await doctor({ ...only, ...given(options) }, viewOf(options)), options, sayDoctor);
    });

  verb(
    "rewrite <server>",
    "Draft texts of your own for what a server last offered, as a config to edit: without what the rules speak against.",
    ["rewrite files", "rewrite files --tool read_file", "rewrite files --flagged --out drafts.jsonc"],
  )
    .addOption(ledger)
    .addOption(config)
    .addOption(text)
    .option("--tool <name>", "only the tool of this name")
    .option("--flagged", "only definitions that a rule speaks against")
    .option("--out <file>", "write the draft to a new file instead of showing it")
    .option("--force", "write over the file if it is there")
    .action(async (server: string, options) => {
      print(await rewrite({ server, ...options }, viewOf(options)), options, sayRewrite);
    });

  verb(
    "import <lockfile>",
    "Compare what servers last offered with an mcp-lock.json, and say what it does not cover. Approves nothing.",
    ["import mcp-lock.json", "import mcp-lock.json --server db=com.example/postgres"],
  )
    .addOption(ledger)
    .addOption(config)
    .addOption(text)
    .option("--server <server=name...>", "which server of yours an entry of the lockfile is for")
    .action(async (path: string, { server, ...options }) => {
      const names = server === undefined ? {} : { server };
      print(await importLock({ path, ...names, ...given(options) }, viewOf(options)), options, sayImport);
    });

  verb(
    "explain <rule> [server]",
    "Say what a rule looks for, why, and what a server's author can do; or what it found.",
    ["explain html-comment", "explain reads-as-order files --text"],
  )
    .addOption(ledger)
    .addOption(config)
    .addOption(text)
    .action(async (rule: string, server: string | undefined, options) => {
      const about = { ...(server === undefined ? {} : { server }), ...given(options) };
      print(await explain(rule, about, viewOf(options)), options, sayExplanation);
    });

  verb(
    "prove [server] [command...]",
    "Change everything of an offer, one thing at a time, and show that each change is caught.",
    [
      "prove files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
      "prove --offers ./captured --json",
      "prove --offers ./captured --plant",
    ],
  )
    .addOption(text)
    .option("--offers <folder>", "captured offers instead of a running server")
    .addOption(
      new Option(
        "--plant",
        "plant an attack in everything of an offer instead, approve nothing, and show that each is located",
      ).conflicts("prose"),
    )
    .option("--all", "every kind of change or attack at every place, instead of one a place")
    .addOption(new Option("--prose <plan>", "the plan that all is approved under").choices([...proses]))
    .option("--seed <number>", "another choice of changes", Number)
    .action(async (server: string | undefined, [command = "", ...args]: string[], options) => {
      const from =
        options.offers !== undefined
          ? { offers: options.offers }
          : { server: server ?? "", command: { command, args } };
      const asked = { ...from, all: options.all === true, seed: options.seed ?? 1 };
      if (options.plant === true) print(await plant(asked, viewOf(options)), options, sayPlanting);
      else print(await prove({ ...asked, prose: options.prose ?? "as-sent" }, viewOf(options)), options, sayProof);
    });

  await program.parseAsync(argv, { from: "user" });
  return exitCode;
}

function viewOf({ text }: Output): View {
  const terminal = process.stdout.isTTY === true;
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const colour = NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== "0" : terminal;
  const { columns, rows } = process.stdout;
  return {
    ...{ text: text === true || terminal, colour, contents: text === true },
    ...{ width: columns || 100, height: rows || 40 },
  };
}

function given({ ledger, config }: { ledger?: string; config?: string }) {
  return { ...(ledger === undefined ? {} : { ledger }), ...(config === undefined ? {} : { config }) };
}

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 3_600) return value;
  throw new GateError("USAGE", `Cannot wait "${visible(text)}" seconds; give a number from 1 to 3600`);
}

function who(): string {
  return userInfo().username;
}

async function agreeAtTerminal(examined: Examined): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new GateError("USAGE", "Cannot trust without a terminal, where somebody is asked, and without --yes");
  }
  let answer: string | undefined;
  await atTerminal(async ({ say, ask }) => {
    say(sayExamined(examined));
    answer = await ask("Trust it? [y] yes  [Enter] no ");
  });
  return answer?.trim().toLowerCase() === "y";
}

async function atTerminal(use: (reviewer: Reviewer) => Promise<void>): Promise<void> {
  // The terminal edits the line itself; a line editor of ours would add escape codes to what a person has to trust.
  const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    await use({
      by: who(),
      say: (text) => process.stdout.write(`${text}\n`),
      ask: (question) => Promise.race([terminal.question(question), closed]),
    });
  } finally {
    terminal.close();
  }
}

async function confirmAtTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new GateError("USAGE", "Cannot bypass a server without --yes where there is no terminal to ask at");
  let yes = false;
  await atTerminal(async ({ ask }) => {
    yes = (await ask(question))?.trim().toLowerCase() === "y";
  });
  return yes;
}

/** Commander repeats what it was given in its messages. */
function visibleLinesOf(text: string): string {
  return text.split("\n").map(visible).join("\n");
}
