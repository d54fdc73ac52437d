import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { visible } from "@countersign/core";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { projectStart, userStart } from "../init/starts.ts";
import { defaultConfigPath } from "../paths.ts";

export interface InitReport {
  readonly path: string;
  readonly of: "project" | "user";
  readonly exitCode: ExitCode;
}

/** Writes a config to begin with, which changes nothing until somebody edits it. */
export async function init(options: { readonly user: boolean; readonly force: boolean }): Promise<InitReport> {
  const path = options.user ? defaultConfigPath() : resolve("countersign.jsonc");
  await mkdir(dirname(path), { recursive: true });
  await write(path, options.user ? userStart : projectStart, options.force);
  return { path, of: options.user ? "user" : "project", exitCode: exitCodes.clean };
}

async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? "w" : "wx", mode: 0o644 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const next =
      code === "EEXIST"
        ? "it is there already; edit it, or add --force to begin anew"
        : `${code}; check ${visible(join(dirname(path), "."))}`;
    throw new GateError("CONFIG", `Cannot write config "${visible(path)}": ${next}`, { cause: error });
  }
}
