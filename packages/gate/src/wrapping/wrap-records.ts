import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { WasRemote } from "../hosts/edit/remote-entry.ts";
import type { Was } from "../hosts/edit/unwrap-entry.ts";
import type { Entry } from "../hosts/entry.ts";
import { stateFolder } from "../paths.ts";
import { ownPathOf } from "../project/repository.ts";

/**
 * What `unwrap` needs to give an entry back its bytes, and the entry does not say. Without a record it gives back the same
 * server, if not the same spelling.
 */
const recordSchema = z.object({
  version: z.literal(1),
  was: z
    .object({
      source: z.string(),
      value: z.string(),
      line: z.array(z.string()).optional(),
      hadArgs: z.boolean(),
      pinned: z.object({ from: z.string(), to: z.string(), source: z.string() }).optional(),
    })
    .optional(),
  remote: z
    .object({
      source: z.string(),
      wrapped: z.string(),
      urlKey: z.string(),
      headersKey: z.string(),
      type: z.string().optional(),
    })
    .optional(),
});

/** Of an entry with a command, or with a URL. */
export interface WrapRecord {
  readonly was?: Was;
  readonly remote?: WasRemote;
}

export async function keepRecord(entry: Entry, record: WrapRecord): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const unfinished = join(folder(), `.${randomBytes(8).toString("hex")}`);
  await writeFile(unfinished, `${JSON.stringify({ version: 1, ...record })}\n`, { mode: 0o600, flag: "wx" });
  await rename(unfinished, join(folder(), nameOf(entry)));
}

/** Undefined where there is none, or none that can be read: nothing but spelling counts on it. */
export async function recordOf(entry: Entry): Promise<WrapRecord | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder(), nameOf(entry)), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  const parsed = recordSchema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { was: command, remote: url } = parsed.data;
  const record: { was?: Was; remote?: WasRemote } = {};
  if (command !== undefined) {
    const { line, pinned, ...was } = command;
    record.was = { ...was, ...(line === undefined ? {} : { line }), ...(pinned === undefined ? {} : { pinned }) };
  }
  if (url !== undefined) {
    const { type, ...was } = url;
    record.remote = { ...was, ...(type === undefined ? {} : { type }) };
  }
  return record;
}

export async function forgetRecord(entry: Entry): Promise<void> {
  await rm(join(folder(), nameOf(entry)), { force: true });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function folder(): string {
  return join(stateFolder(), "wrapped");
}

/** By the name of the entry, not its index: somebody may put another one before it. */
function nameOf({ file, at, name }: Entry): string {
  const key = JSON.stringify([ownPathOf(file.path), ...at.slice(0, -1), name]);
  return `${createHash("sha256").update(key).digest("hex")}.json`;
}
