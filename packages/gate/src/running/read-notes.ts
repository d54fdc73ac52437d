import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Note, noteNames, notesFolder } from "./notes.ts";

const common = {
  ...{ server: z.string(), ledger: z.string(), pid: z.number(), node: z.string(), script: z.string() },
  verified: z.array(
    z.strictObject({
      source: z.string(),
      at: z.iso.datetime(),
      by: z.enum(["load", "session", "list", "change", "call"]),
    }),
  ),
};

const noteSchema: z.ZodType<Note> = z.discriminatedUnion("is", [
  z.strictObject({
    ...common,
    is: z.literal("running"),
    began: z.string().optional(),
    held: z.boolean(),
    listed: z.array(z.strictObject({ source: z.string(), seq: z.number(), at: z.string() })),
  }),
  z.strictObject({
    ...common,
    is: z.literal("ended"),
    at: z.string(),
    ending: z.discriminatedUnion("is", [
      z.strictObject({ is: z.literal("exited"), code: z.number() }),
      z.strictObject({ is: z.literal("killed"), signal: z.string() }),
      z.strictObject({ is: z.literal("not-started"), code: z.string() }),
    ]),
    answered: z.boolean(),
    hostLeft: z.boolean(),
    stderr: z.array(z.string()),
  }),
]);

/** All notes that there are. What is none, or was written by another version, is left out: nothing counts on it. */
export async function readNotes(): Promise<readonly Note[]> {
  const notes: Note[] = [];
  for (const name of await noteNames()) {
    const parsed = noteSchema.safeParse(name.endsWith(".json") ? await contentOf(name) : undefined);
    if (parsed.success) notes.push(parsed.data);
  }
  return notes;
}

async function contentOf(name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(notesFolder(), name), "utf8"));
  } catch (error) {
    // It went while we looked, or is none of ours.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
