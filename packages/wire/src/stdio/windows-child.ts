import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { Command } from "./command.ts";
import { type Options, type Piped, spawnBatch } from "./windows-batch.ts";
import { windowsKill, windowsStart } from "./windows-start.ts";

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

/** The whole tree, at once and without a shell. What outlives its parent is out of reach. */
export function killTree(process_: ChildProcess): void {
  if (process_.pid === undefined) return;
  const { file, args } = windowsKill(process_.pid, process.env);
  spawn(file, args, { stdio: "ignore", windowsHide: true }).on("error", () => process_.kill());
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
