import { constants } from "node:os";
import { decodeUtf8, visible } from "@countersign/core";
import { type Command, type Ending, guardStdio } from "@countersign/wire";
import { launchOffer } from "../launch/launch-offer.ts";
import { type GuardedRunOptions, runGuarded } from "./run-guarded.ts";

export interface RunOptions extends GuardedRunOptions {
  readonly command: Command;
  /** `none`: hosts start it in whatever folder they are in, so that is no part of how it is reached. */
  readonly workspace?: "none";
}

/** Stands between a host and one stdio server until one of them ends. Returns the exit code to end with. */
export function run(options: RunOptions): Promise<number> {
  const { command, workspace, host } = options;
  return runGuarded(options, {
    launch: (server) => launchOffer(server, command, workspace === undefined ? {} : { workspace }),
    start: ({ server, guard, notes }) => {
      let lastWords = "";
      const { ended, ...started } = guardStdio({
        ...guard,
        ...{ command, host },
        stderrLine: (bytes) => {
          // Server-controlled: bytes that are no UTF-8 are shown as such, controls by their names.
          const line = decodeUtf8(bytes) ?? bytes.toString("latin1");
          notes.stderr(line);
          lastWords = visible(line);
          options.say(`[${server}] ${lastWords}`);
        },
        grace: 2_000,
      });
      return {
        guard: started.guard,
        signal: (signal) => started.signal(signal),
        ended: ended.then((ending) => ({
          code: exitCodeFor(ending),
          ending,
          sentence: (answered) =>
            ending.is === "exited" && ending.code === 0 && answered
              ? undefined
              : sayEnding(ending, command, answered, lastWords),
        })),
      };
    },
  });
}

function sayEnding(ending: Ending, { command }: Command, answered: boolean, lastWords: string): string {
  const said = lastWords === "" ? "it wrote nothing to stderr" : `its last line on stderr: ${lastWords.slice(0, 300)}`;
  const when = answered ? "" : " before it answered anything";
  switch (ending.is) {
    case "not-started":
      return ending.code === "ENOENT"
        ? `cannot start the server: the command "${visible(command)}" was not found; check the command after -- and the PATH of the host`
        : `cannot start the server: the command "${visible(command)}" failed with ${ending.code}; check that it is a program that you may run`;
    case "exited":
      return `the server exited with code ${ending.code}${when}; ${said}`;
    case "killed":
      return `the server was ended by ${ending.signal}${when}; ${said}`;
  }
}

/** As env(1) and the shells have it: the server's own code, 128 and the signal's number, 127 not found, 126 not runnable. */
function exitCodeFor(ending: Ending): number {
  switch (ending.is) {
    case "exited":
      return ending.code;
    case "killed":
      return 128 + constants.signals[ending.signal];
    case "not-started":
      return ending.code === "ENOENT" ? 127 : 126;
  }
}
