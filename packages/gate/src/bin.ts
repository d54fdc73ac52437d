#!/usr/bin/env node
import { visible } from "@countersign/core";
import { LedgerError } from "@countersign/ledger";
import { exitCodeOf, exitCodes, GateError } from "./gate-error.ts";

const version = "0.1.0";

/** node:sqlite warns on every start that it may still change; the ledger's tests on this Node are the answer to that. */
const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
process.emitWarning = (...args: unknown[]) => {
  if (!String(args[0]).includes("SQLite is an experimental feature")) emitWarning(...args);
};

async function main(argv: readonly string[]): Promise<number> {
  const end = argv.indexOf("--");
  // The path of every start of every guarded server: no command-line library, and no config reader without a config.
  if (argv[0] === "run" && end !== -1 && !argv.slice(0, end).some((word) => word === "--help" || word === "-h")) {
    const { runFromArguments } = await import("./run-from-arguments.ts");
    return runFromArguments(argv.slice(1, end), argv.slice(end + 1));
  }
  const { runProgram } = await import("./program.ts");
  return runProgram(argv, version);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof GateError) {
    say(`countersign: ${error.message}`);
    process.exitCode = exitCodeOf(error);
  } else if (error instanceof LedgerError) {
    say(`countersign: ${error.message}`);
    process.exitCode = exitCodes.usage;
  } else if (error instanceof Error && "code" in error && String(error.code).startsWith("commander.")) {
    // Commander has said what was wrong, or shown its help.
    process.exitCode = "exitCode" in error && error.exitCode === 0 ? exitCodes.clean : exitCodes.usage;
  } else {
    say(`countersign: stopped by a fault of its own, nothing was allowed: ${visible(String(error))}`);
    if (process.env["COUNTERSIGN_DEBUG"] && error instanceof Error) say(visible(error.stack ?? ""));
    process.exitCode = exitCodes.incomplete;
  }
}
