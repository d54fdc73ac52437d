import { win32 } from "node:path";
import type { Command } from "./command.ts";
import { variableOf, windowsPrograms } from "./windows-program.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What has to be done on Windows to start a command. */
export type WindowsStart =
  | { readonly is: "program"; readonly file: string; readonly args: readonly string[] }
  /** Windows itself runs no batch file, and Node refuses to (CVE-2024-27980): cmd.exe does. */
  | { readonly is: "batch"; readonly file: string; readonly args: readonly string[] }
  | { readonly is: "refused"; readonly code: "ENOENT" | "UNSAFE_BATCH_ARGUMENT" };

/** @param isFile whether there is a file at an absolute path */
export function windowsStart(
  { command, args }: Command,
  { env, cwd, isFile }: { readonly env: Environment; readonly cwd: string; readonly isFile: (path: string) => boolean },
): WindowsStart {
  const file = windowsPrograms(command, env, cwd).find(isFile);
  if (file === undefined) return { is: "refused", code: "ENOENT" };
  if (!/\.(?:cmd|bat)$/i.test(file)) return { is: "program", file, args };
  return args.some(endsItsQuotes) ? { is: "refused", code: "UNSAFE_BATCH_ARGUMENT" } : { is: "batch", file, args };
}

/**
 * A batch file hands its arguments on by `%*`, and cmd.exe reads them a second time, quotes and all. Where a quote within
 * an argument ended them, what follows could be another command; a line break ends the command in any case.
 */
function endsItsQuotes(argument: string): boolean {
  return /[\r\n\0]/.test(argument) || (argument.includes('"') && /[&|<>^()!]/.test(argument));
}

/** Ends a process with all that it has started; Windows has no signal that would reach them. */
export function windowsKill(
  pid: number,
  env: Environment,
): { readonly file: string; readonly args: readonly string[] } {
  const system = variableOf(env, "SYSTEMROOT") ?? "C:\\Windows";
  return { file: win32.join(system, "System32", "taskkill.exe"), args: ["/PID", String(pid), "/T", "/F"] };
}
