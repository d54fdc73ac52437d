import { readFile } from "node:fs/promises";
import { asServerName, type Json, type Kind, type ServerName, visible } from "@countersign/core";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { type Lock, type LockEntry, readLock } from "../mcp-lock/read-lock.ts";
import { surfaceHash } from "../mcp-lock/surface-hash.ts";
import { shownName, type View } from "../print/view.ts";
import { type Standing, standingOf } from "../standing.ts";
import { type Places, settingsFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface ImportOptions extends Places {
  readonly path: string;
  /** `<server>=<name in the lockfile>`; a server that is called as in the lockfile needs none. */
  readonly server?: readonly string[];
}

/** Names that the lockfile holds are shown like those of a server: whoever wrote it may be no friend. */
export interface ImportRow {
  /** Absent where the ledger has no such server. */
  readonly server?: string;
  readonly entry: { readonly name: string; readonly client: string; readonly scope: string };
  readonly result: "same" | "differs" | "not-compared";
  /** Why nothing was compared. */
  readonly code?: NotCompared;
  /** The fields of a tool that the lock pins. */
  readonly coverage: readonly string[];
  /** Whether the entry was checked to be as it was locked. */
  readonly intact: boolean;
  readonly tools: { readonly locked?: number; readonly offered?: number };
  /** What the server offers and the lock says nothing of: fields of tools, and other kinds of definitions. */
  readonly uncovered: readonly Uncovered[];
}

export type Uncovered =
  | { readonly is: "field"; readonly field: string; readonly tools: number }
  | { readonly is: "kind"; readonly kind: Kind; readonly definitions: number };

export type NotCompared =
  | Extract<LockEntry["pin"], { is: "none" }>["code"]
  /** The ledger has seen no such server, or none of its lists. */
  | "NOT_SEEN"
  /** Tools that are malformed were not kept, so the set is not whole. */
  | "MALFORMED_TOOLS"
  | "NO_FORM";

export interface ImportReport {
  readonly format: Lock["format"];
  readonly entries: readonly ImportRow[];
  /** Servers of the ledger that no entry is for. */
  readonly unlocked: readonly string[];
  readonly exitCode: ExitCode;
}

/**
 * Compares what servers last offered with an install lockfile. It approves nothing: such a lock holds hashes, of a part of
 * what a model reads, and no texts.
 */
export async function importLock(options: ImportOptions, view: View): Promise<ImportReport> {
  const lock = readLock(await readFileAt(options.path), options.path);
  const names = namesIn(options.server ?? [], lock);
  return withLedger(options, async (ledger) => {
    const servers = [...(await ledger.state()).servers.keys()];
    const entries: ImportRow[] = [];
    const locked = new Set<ServerName>();
    for (const entry of lock.entries) {
      const mapped = names.get(entry.name);
      const own = asServerName(entry.name);
      // A lock may be for a server that this ledger does not know by any name.
      const known = (mapped ?? (own === undefined ? [] : [own])).filter((server) => servers.includes(server));
      if (known.length === 0) entries.push(rowOf(entry, undefined, view));
      for (const server of known) {
        locked.add(server);
        const { policy } = (await settingsFor(server, options)).settings;
        const standing = await standingOf(ledger, server, policy);
        entries.push(rowOf(entry, standing === undefined ? undefined : offeredToAll(standing), view));
      }
    }
    const unlocked = servers.filter((server) => !locked.has(server));
    return { format: lock.format, entries, unlocked, exitCode: exitCodeFor(entries) };
  });
}

function rowOf({ name, client, scope, pin }: LockEntry, standing: Standing | undefined, view: View): ImportRow {
  const tools = toolsOf(standing);
  const sighted = standing?.definitions.some(({ definition }) => definition.address.kind !== "launch") === true;
  const common = {
    ...(standing === undefined ? {} : { server: standing.server }),
    entry: { name: shownName(name, view), client: shownName(client, view), scope: shownName(scope, view) },
    coverage: pin.is === "surface" ? pin.coverage : [],
    intact: pin.is === "surface" && pin.intact,
    tools: {
      ...(pin.is === "surface" ? { locked: pin.tools } : {}),
      ...(sighted ? { offered: tools.length } : {}),
    },
    uncovered: standing === undefined ? [] : uncoveredIn(standing, pin.is === "surface" ? pin.coverage : []),
  };
  const not = (code: NotCompared): ImportRow => ({ ...common, result: "not-compared", code });
  if (pin.is === "none") return not(pin.code);
  if (standing === undefined || !sighted) return not("NOT_SEEN");
  if (standing.malformed.some(({ kind }) => kind === "tool")) return not("MALFORMED_TOOLS");
  const hash = surfaceHash(tools, pin);
  if (hash === undefined) return not("NO_FORM");
  return { ...common, result: hash.equals(pin.hash) ? "same" : "differs" };
}

/** Whoever wrote the lock was no principal of a gateway. */
function offeredToAll(standing: Standing): Standing {
  return { ...standing, definitions: standing.definitions.filter(({ principals }) => principals === undefined) };
}

function toolsOf(standing: Standing | undefined): readonly Json[] {
  const definitions = standing?.definitions.map(({ definition }) => definition) ?? [];
  return definitions.filter(({ address }) => address.kind === "tool").map(({ json }) => json);
}

function uncoveredIn(standing: Standing, coverage: readonly string[]): readonly Uncovered[] {
  const fields = new Map<string, number>();
  for (const tool of toolsOf(standing)) {
    for (const { key } of tool.is === "object" ? tool.members : []) {
      if (!coverage.includes(key)) fields.set(key, (fields.get(key) ?? 0) + 1);
    }
  }
  const kinds = new Map<Kind, number>();
  for (const { definition } of standing.definitions) {
    const { kind } = definition.address;
    if (kind !== "tool") kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [
    ...[...fields].map(([field, tools]) => ({ is: "field", field, tools }) as const),
    ...[...kinds].map(([kind, definitions]) => ({ is: "kind", kind, definitions }) as const),
  ];
}

function namesIn(words: readonly string[], lock: Lock): ReadonlyMap<string, readonly ServerName[]> {
  const names = new Map<string, ServerName[]>();
  for (const word of words) {
    const at = word.indexOf("=");
    const name = word.slice(at + 1);
    if (at < 1 || !lock.entries.some((entry) => entry.name === name)) {
      throw new GateError(
        "USAGE",
        `Cannot read "${visible(word)}" as a server and its entry; write <server>=<name in the lockfile>, as in --server db=com.example/postgres`,
      );
    }
    names.set(name, [...(names.get(name) ?? []), serverNamed(word.slice(0, at))]);
  }
  return names;
}

function exitCodeFor(entries: readonly ImportRow[]): ExitCode {
  if (entries.some(({ result }) => result === "differs")) return exitCodes.unapproved;
  const compared = entries.length > 0 && entries.every(({ result }) => result === "same");
  return compared ? exitCodes.clean : exitCodes.incomplete;
}

async function readFileAt(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EISDIR" && code !== "EACCES") throw error;
    throw new GateError("USAGE", `Cannot read lockfile "${visible(path)}": ${code}; give an mcp-lock.json`, {
      cause: error,
    });
  }
}
