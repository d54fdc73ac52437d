import { parseArgs } from "node:util";
import type { GuardedRunOptions } from "./commands/run-guarded.ts";
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
  const ledger = values.ledger ?? process.env["COUNTERSIGN_LEDGER"];
  const config = values.config ?? process.env["COUNTERSIGN_CONFIG"];
  const { workspace, url } = values;
  if (workspace !== undefined && workspace !== "none")
    throw new GateError("USAGE", `Cannot run ${server}: the one value of --workspace is none`);
  const options: GuardedRunOptions = {
    server,
    ...(ledger === undefined ? {} : { ledger }),
    ...(config === undefined ? {} : { config }),
    host: { input: process.stdin, output: process.stdout },
    say: (line) => process.stderr.write(`${line}\n`),
    onSignal: (listener) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => listener(signal));
    },
  };
  let code: number;
  if (url !== undefined) {
    if (command !== undefined || workspace !== undefined)
      throw new GateError("USAGE", `Cannot run ${server}: a server has a --url or a command, not both`);
    const { readRemoteReach } = await import("./remote/read-remote-reach.ts");
    const { header: headers = [], "header-from": headersFrom = [], transport } = values;
    const reach = readRemoteReach({ doing: `run ${server}`, url, headers, headersFrom, transport });
    const { runRemote } = await import("./commands/run-remote.ts");
    const { credentialFor } = await import("./remote/credential-for.ts");
    code = await runRemote({ ...options, reach, credentialFor, browser: values["no-browser"] !== true });
  } else {
    const ofUrl = ["header", "header-from", "transport", "no-browser"] as const;
    if (ofUrl.some((name) => values[name] !== undefined))
      throw new GateError(
        "USAGE",
        `Cannot run ${server}: ${ofUrl.map((name) => `--${name}`).join(", ")} say nothing without --url`,
      );
    if (command === undefined) {
      throw new GateError(
        "USAGE",
        `Cannot run ${server}: give its command after --, as in: countersign run ${server} -- npx -y some-server; or its --url`,
      );
    }
    const { run } = await import("./commands/run.ts");
    code = await run({ ...options, command: { command, args }, ...(workspace === undefined ? {} : { workspace }) });
  }
  // The host may keep our input open after the server has gone.
  process.stdin.destroy();
  return code;
}

function read(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        ...{ ledger: { type: "string" }, config: { type: "string" }, workspace: { type: "string" } },
        ...{
          url: { type: "string" },
          header: { type: "string", multiple: true },
          "header-from": { type: "string", multiple: true },
          transport: { type: "string" },
          "no-browser": { type: "boolean" },
        },
      },
      allowPositionals: true,
    });
  } catch (error) {
    if (error instanceof TypeError) throw new GateError("USAGE", `Cannot run: ${error.message}`, { cause: error });
    throw error;
  }
}
