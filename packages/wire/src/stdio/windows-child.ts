import {
  type ChildProcess,
  type ChildProcessByStdio,
  type SpawnOptionsWithStdioTuple,
  type StdioPipe,
  spawn,
} from "node:child_process";
import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import crossSpawn from "cross-spawn";
import type { Command } from "./command.ts";
import { windowsKill, windowsStart } from "./windows-start.ts";

type Piped = ChildProcessByStdio<Writable, Readable, Readable>;
type Options = SpawnOptionsWithStdioTuple<StdioPipe, StdioPipe, StdioPipe>;

/** Starts a command on Windows; a code where nothing was started. */
export function spawnOnWindows(command: Command, options: Options): Piped | string {
  const { env = process.env, cwd = process.cwd() } = command;
  const start = windowsStart(command, { env, cwd, isFile });
  switch (start.is) {
    case "program":
      return spawn(start.file, start.args, options);
    case "batch":
      return spawnBatch(start.file, start.args, options);
    case "refused":
      return start.code;
  }
}

/** Its quoting for cmd.exe is what cross-spawn is for. The file is absolute, so that nothing is looked up again. */
export function spawnBatch(file: string, args: readonly string[], options: Options): Piped {
  return crossSpawn(file, [...args], options) as Piped;
}

/** The whole tree, at once and without a shell. What outlives its parent is out of reach. */
export function killTree(process_: ChildProcess): void {
  if (process_.pid === undefined) return;
  const { file, args } = windowsKill(process_.pid, process.env);
  spawn(file, args, { stdio: "ignore", windowsHide: true }).on("error", () => process_.kill());
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
