import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "@countersign/wire";
import { inheritedFrom } from "./inherited-from.ts";

/** How a process is started: what the stdio transports of the SDKs are made with. */
export interface Launched {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The folder that it starts in; otherwise this process's own. */
  readonly cwd?: string | URL | undefined;
  /** What it is given beside the few variables that the transports of the SDKs hand on by themselves. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The same with nothing left out, as a transport of an SDK would start it. */
export function commandOf({ command, args = [], cwd, env }: Launched): Command {
  const folder = cwd instanceof URL ? fileURLToPath(cwd) : cwd;
  return {
    ...{ command, args, env: { ...inheritedFrom(process.env), ...env } },
    ...(folder === undefined ? {} : { cwd: resolve(folder) }),
  };
}
