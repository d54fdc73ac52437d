import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CorpusError, type Tool } from "./corpus.ts";

/** A tool that somebody wrote for the model to learn from. */
export interface Authored {
  readonly id: string;
  readonly label: "attack" | "benign";
  readonly family: string;
  readonly language: string;
  readonly tool: Tool;
  /** Of an attack: the text that its clean twin lacks; empty where all of it may be the order. */
  readonly payload: string;
}

/**
 * Reads the files `attacks-*.jsonl` and `benign-*.jsonl` of a folder, in the order of their names. A line has a `text`, for
 * which a tool is made up that says nothing of its own, or a `tool`.
 *
 * @throws CorpusError where a line is not of that form
 */
export async function readAuthored(folder: string): Promise<readonly Authored[]> {
  const found: Authored[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const label = file.startsWith("attacks-") ? "attack" : file.startsWith("benign-") ? "benign" : undefined;
    if (label === undefined || !file.endsWith(".jsonl")) continue;
    const lines = (await readFile(join(folder, file), "utf8")).split("\n");
    for (const [at, line] of lines.entries()) {
      if (line === "") continue;
      const { family, language, text, tool, payload = "" }: Record<string, unknown> = JSON.parse(line);
      const written = isTool(tool) ? tool : typeof text === "string" ? toolOf(text) : undefined;
      if (typeof family !== "string" || typeof language !== "string" || typeof payload !== "string" || !written) {
        throw new CorpusError(
          `Cannot read "${join(folder, file)}": line ${at + 1} has no family, language, or text or tool`,
        );
      }
      found.push({ ...{ id: `${file}:${at + 1}`, label, family, language }, tool: written, payload });
    }
  }
  return found;
}

function isTool(value: unknown): value is Tool {
  return typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
}

export function toolOf(text: string): Tool {
  return { name: "do_task", description: text, inputSchema: { type: "object" } };
}
