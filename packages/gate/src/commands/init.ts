import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { visible } from "@countersign/core";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { hookStart, projectStart, userStart, workflowStart } from "../init/starts.ts";
import { defaultConfigPath } from "../paths.ts";

export interface InitOptions {
  readonly of: "project" | "user" | "ci";
  /** Write over what is there. */
  readonly force: boolean;
}

export interface InitReport {
  readonly path: string;
  readonly of: InitOptions["of"];
  /** What may be put into a file that is the project's own. */
  readonly hook?: string;
  readonly exitCode: ExitCode;
}

/** Writes a file to begin with. A config changes nothing until somebody edits it. */
export async function init({ of, force }: InitOptions): Promise<InitReport> {
  const { path, text } = startOf(of);
  await mkdir(dirname(path), { recursive: true });
  await write(path, text, force);
  return { path, of, ...(of === "ci" ? { hook: hookStart } : {}), exitCode: exitCodes.clean };
}

function startOf(of: InitOptions["of"]): { readonly path: string; readonly text: string } {
  switch (of) {
    case "project":
      return { path: resolve("countersign.jsonc"), text: projectStart };
    case "user":
      return { path: defaultConfigPath(), text: userStart };
    case "ci":
      return { path: resolve(".github/workflows/countersign.yml"), text: workflowStart };
  }
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
    throw new GateError("CONFIG", `Cannot write "${visible(path)}": ${next}`, { cause: error });
  }
}
