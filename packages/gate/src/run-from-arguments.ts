import { parseArgs } from "node:util";
import { run } from "./commands/run.ts";
import { GateError } from "./gate-error.ts";

/** `countersign run`, with what stands before and after `--`. */
export async function runFromArguments(before: readonly string[], after: readonly string[]): Promise<number> {
  const { values, positionals } = read(before);
  const [server, ...others] = positionals;
  const [command, ...args] = after;
  if (server === undefined || others.length > 0) {
    throw new GateError(
      "USAGE",
      "Cannot run: give one name for the server before --, as in: countersign run files -- npx -y some-server",
    );
  }
  if (command === undefined) {
    throw new GateError(
      "USAGE",
      `Cannot run ${server}: give its command after --, as in: countersign run ${server} -- npx -y some-server`,
    );
  }
  const ledger = values.ledger ?? process.env["COUNTERSIGN_LEDGER"];
  const config = values.config ?? process.env["COUNTERSIGN_CONFIG"];
  if (values.workspace !== undefined && values.workspace !== "none") {
    throw new GateError("USAGE", `Cannot run ${server}: the one value of --workspace is none`);
  }
  const code = await run({
    server,
    command: { command, args },
    ...(ledger === undefined ? {} : { ledger }),
    ...(config === undefined ? {} : { config }),
    ...(values.workspace === undefined ? {} : { workspace: values.workspace }),
    host: { input: process.stdin, output: process.stdout },
    say: (line) => process.stderr.write(`${line}\n`),
    onSignal: (listener) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => listener(signal));
    },
  });
  // The host may keep our input open after the server has gone.
  process.stdin.destroy();
  return code;
}

function read(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: { ledger: { type: "string" }, config: { type: "string" }, workspace: { type: "string" } },
      allowPositionals: true,
    });
  } catch (error) {
    if (error instanceof TypeError) throw new GateError("USAGE", `Cannot run: ${error.message}`, { cause: error });
    throw error;
  }
}
