import { createHash, randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { visible } from "@countersign/core";
import { z } from "zod";
import { GateError } from "../gate-error.ts";
import { stateFolder } from "../paths.ts";
import { repositoryOf } from "./repository.ts";

/** One file as somebody may trust it. Another content, or another path, is another trust. */
export interface Trusted {
  readonly kind: "config" | "ledger" | "lockfile";
  /** Of a config and a lockfile by `ownPathOf`, of a ledger by `realPathOf`. */
  readonly path: string;
  /** The SHA-256 of a config's or a lockfile's bytes. A ledger is written to, so of that it is the file's identity. */
  readonly mark: string;
}

export interface TrustRecord extends Trusted {
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

export function configTrust(path: string, bytes: Uint8Array): Trusted {
  return { kind: "config", path, mark: createHash("sha256").update(bytes).digest("hex") };
}

export function lockfileTrust(path: string, bytes: Uint8Array): Trusted {
  return { ...configTrust(path, bytes), kind: "lockfile" };
}

/** Undefined where there is no file, which nobody can have looked at. */
export function ledgerTrust(path: string): Trusted | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : { kind: "ledger", path, mark: `${found.dev}:${found.ino}` };
}

export async function isTrusted(trusted: Trusted): Promise<boolean> {
  // A repository that could bring its own records would trust itself.
  if (repositoryOf(join(folder(), "record")) !== undefined) return false;
  const record = await readRecord(nameOf(trusted));
  return record?.kind === trusted.kind && record.path === trusted.path && record.mark === trusted.mark;
}

export async function giveTrust(trusted: Trusted, by: string): Promise<void> {
  const record: TrustRecord = { ...trusted, at: new Date().toISOString(), by };
  const around = repositoryOf(join(folder(), "record"));
  if (around !== undefined) {
    throw new GateError(
      "CONFIG",
      `Cannot keep a trust in "${visible(folder())}": that lies in a repository (${visible(around)}), which could bring its own; set XDG_STATE_HOME to a folder outside of it`,
    );
  }
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const name = nameOf(trusted);
  const unfinished = join(folder(), `${name}.${randomBytes(6).toString("hex")}`);
  await writeFile(unfinished, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: "wx" });
  await rename(unfinished, join(folder(), name));
}

/** Takes every trust in a file away, whatever it held then. Returns how many there were. */
export async function takeTrust(paths: readonly string[]): Promise<number> {
  const records = (await trusts()).filter(({ path }) => paths.includes(path));
  for (const record of records) await rm(join(folder(), nameOf(record)), { force: true });
  return records.length;
}

export async function trusts(): Promise<readonly TrustRecord[]> {
  const records: TrustRecord[] = [];
  for (const name of await namesIn(folder())) {
    const record = /^[0-9a-f]{64}$/.test(name) ? await readRecord(name) : undefined;
    if (record !== undefined) records.push(record);
  }
  return records.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const recordSchema = z.strictObject({
  kind: z.enum(["config", "ledger", "lockfile"]),
  path: z.string(),
  mark: z.string(),
  at: z.string(),
  by: z.string(),
});

async function readRecord(name: string): Promise<TrustRecord | undefined> {
  const file = join(folder(), name);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const parsed = recordSchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new GateError(
    "CONFIG",
    `Cannot read the trust in "${visible(file)}": it is no record of one; take that file away`,
  );
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function nameOf({ kind, path, mark }: Trusted): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, path, mark]))
    .digest("hex");
}

function folder(): string {
  return join(stateFolder(), "trusted");
}
