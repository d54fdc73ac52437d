import { visible } from "@countersign/core";
import { LedgerError } from "@countersign/ledger";
import { exitCodeOf, exitCodes, GateError } from "./gate-error.ts";

/** Runs one command to its end. Resolves to the exit code; whatever went wrong has been said. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (error) {
    return sayError(error);
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const isGiven = end !== -1 || words.some((word) => /^--url(?:=|$)/.test(word));
  // The path of every start of every guarded server: no command-line library, and no config reader without a config.
  if (argv[0] === "run" && isGiven && !words.some((word) => word === "--help" || word === "-h")) {
    const { runFromArguments } = await import("./run-from-arguments.ts");
    return runFromArguments(words.slice(1), end === -1 ? [] : argv.slice(end + 1));
  }
  const { runProgram } = await import("./program.ts");
  return runProgram(argv);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function sayError(error: unknown): number {
  if (error instanceof GateError) {
    say(`countersign: ${error.message}`);
    return exitCodeOf(error);
  }
  if (error instanceof LedgerError) {
    say(`countersign: ${error.message}`);
    return exitCodes.usage;
  }
  if (error instanceof Error && "code" in error && String(error.code).startsWith("commander.")) {
    // Commander has said what was wrong, or shown its help.
    return "exitCode" in error && error.exitCode === 0 ? exitCodes.clean : exitCodes.usage;
  }
  say(`countersign: stopped by a fault of its own, nothing was allowed: ${visible(String(error))}`);
  if (process.env["COUNTERSIGN_DEBUG"] && error instanceof Error) say(visible(error.stack ?? ""));
  return exitCodes.incomplete;
}
