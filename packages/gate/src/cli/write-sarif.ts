import { writeFile } from "node:fs/promises";
import { visible } from "@countersign/core";
import { GateError } from "../gate-error.ts";

/** Writes a SARIF log to a file; `-` is left for whoever prints instead. Resolves to the text. */
export async function writeSarif(log: object, path: string): Promise<string> {
  const text = JSON.stringify(log, null, 2);
  if (path === "-") return text;
  try {
    await writeFile(path, `${text}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new GateError(
      "USAGE",
      `Cannot write SARIF to "${visible(path)}": ${code ?? String(error)}; name another file`,
      {
        cause: error,
      },
    );
  }
  return text;
}
