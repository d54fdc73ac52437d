import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateFolder } from "../paths.ts";

/** When a source was last had whole and ruled on, and at which checkpoint. */
export interface Verified {
  readonly source: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: "load" | "session" | "list" | "change" | "call";
}

interface Common {
  readonly server: string;
  /** The path of the ledger that was used. */
  readonly ledger: string;
  readonly pid: number;
  /** Both absolute. */
  readonly node: string;
  readonly script: string;
  readonly verified: readonly Verified[];
}

/** What `run` leaves for `doctor` and `status` while it runs. */
export interface Running extends Common {
  readonly is: "running";
  /** When the process began, in whatever unit the system has; with the pid it names the process. */
  readonly began?: string | undefined;
  /** The server was not started, because of its launch. */
  readonly held: boolean;
  /** The ledger's sequence number when the host was last given each list or handshake, and since when it is that one. */
  readonly listed: readonly { readonly source: string; readonly seq: number; readonly at: string }[];
}

/** And about how the server came to its last end. */
export interface Ended extends Common {
  readonly is: "ended";
  /** ISO 8601. */
  readonly at: string;
  readonly ending:
    | { readonly is: "exited"; readonly code: number }
    | { readonly is: "killed"; readonly signal: string }
    | { readonly is: "not-started"; readonly code: string };
  /** Whether the server had answered anything, and whether its host was the one to leave. */
  readonly answered: boolean;
  readonly hostLeft: boolean;
  /** The server's last lines on stderr: its own words. */
  readonly stderr: readonly string[];
}

export type Note = Running | Ended;

/** Takes the place of the note before it, as a whole or not at all. */
export async function writeNote(note: Note): Promise<void> {
  await mkdir(notesFolder(), { recursive: true, mode: 0o700 });
  const unfinished = join(notesFolder(), `.${randomBytes(8).toString("hex")}`);
  await writeFile(unfinished, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: "wx" });
  await rename(unfinished, join(notesFolder(), fileOf(note)));
}

export async function removeNote(note: Running): Promise<void> {
  await rm(join(notesFolder(), fileOf(note)), { force: true });
}

/** Takes away what processes left that were killed. */
export async function sweepNotes(): Promise<void> {
  for (const name of await noteNames()) {
    const pid = /\.([0-9]+)\.json$/.exec(name)?.[1];
    if (pid !== undefined && !exists(Number(pid))) await rm(join(notesFolder(), name), { force: true });
  }
}

/** Whether the process of a note is still there, and not another one that was given its number. */
export function isAlive({ pid, began }: Running): boolean {
  return exists(pid) && (began === undefined || began === beganAt(pid));
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    if (code === "EPERM") return true;
    throw error;
  }
}

/** Only Linux says so: the 22nd field, in clock ticks since the machine began. */
export function beganAt(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}

export async function noteNames(): Promise<readonly string[]> {
  try {
    return await readdir(notesFolder());
  } catch (error) {
    // Nothing counts on a note, so a folder that is none, or is closed, holds none.
    if (["ENOENT", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function fileOf(note: Note): string {
  return `${note.server}.${note.is === "running" ? note.pid : "last"}.json`;
}

export function notesFolder(): string {
  return join(stateFolder(), "runs");
}
