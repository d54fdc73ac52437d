import { CorpusError } from "./corpus.ts";

/** Runs a command to its end. What whoever called it can mend is one line; anything else is a fault, and is thrown. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Error) || !(error instanceof CorpusError || isUsage(error))) throw error;
    process.stderr.write(`${error.message}; --help says what is needed\n`);
    process.exitCode = 3;
  }
}

function isUsage(error: Error): boolean {
  return "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}
