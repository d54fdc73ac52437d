import { createHash, randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  addressKey,
  type Kind,
  type LockedDefinition,
  type LockedServer,
  type ServerName,
  visible,
  writeLockfile,
} from "@countersign/core";
import type { Ledger } from "@countersign/ledger";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { type LeftOut, lockedServer } from "../lock/locked-server.ts";
import { lockfileBytes, lockfileIn, lockfilePath } from "../lock/lockfile-at.ts";
import { type ProjectEntry, projectEntries } from "../lock/project-entries.ts";
import { shownName, type View } from "../print/view.ts";
import { realPathOf } from "../project/repository.ts";
import { standingOf } from "../standing.ts";
import { type Places, settingsFor, withLedger } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface LockOptions extends Places {
  /** Without any: those of the lockfile, and those that the project's host configs name. */
  readonly servers: readonly string[];
  readonly out?: string;
  /** Servers to take out of the lockfile. */
  readonly remove?: readonly string[];
  /** Take nothing over from the lockfile that is there: it may be one that cannot be read. */
  readonly anew?: boolean;
  /** Write nothing. */
  readonly check?: boolean;
}

/** `kept`: the ledger approves nothing of it, so it is as the lockfile had it. */
export interface LockRow {
  readonly server: string;
  readonly is: "added" | "changed" | "unchanged" | "kept" | "removed";
  readonly definitions: number;
  readonly changes: readonly {
    readonly kind: Kind;
    readonly name: string;
    readonly is: "added" | "changed" | "removed";
  }[];
  /** Approved or offered, and not in the lockfile all the same. */
  readonly leftOut: readonly LeftOut[];
}

export interface LockReport {
  readonly path: string;
  /** SHA-256 of the file. */
  readonly digest: string;
  /** Whether the file was there already with these bytes. */
  readonly unchanged: boolean;
  readonly written: boolean;
  readonly servers: readonly LockRow[];
  readonly exitCode: ExitCode;
}

/** Writes what the ledger approves into a lockfile. What is the same stays as it is there, byte for byte. */
export async function lock(options: LockOptions, view: View): Promise<LockReport> {
  const path = lockfilePath(options.out);
  const bytes = await lockfileBytes(path);
  const before = bytes === undefined || options.anew === true ? [] : lockfileIn(bytes, path).lockfile.servers;
  const removed = new Set((options.remove ?? []).map(serverNamed));
  for (const server of removed) {
    if (before.some((one) => one.server === server)) continue;
    throw new GateError("USAGE", `Cannot remove ${server}: lockfile "${visible(path)}" holds nothing of it`);
  }
  return withLedger(options, async (ledger) => {
    const { entries } = await projectEntries(dirname(path));
    const asked = await serversFor(options, ledger, { before, entries, path });
    const after = new Map(before.filter(({ server }) => !removed.has(server)).map((one) => [one.server, one]));
    const rows: LockRow[] = [];
    for (const one of before) if (removed.has(one.server)) rows.push(rowOf(one, undefined, "removed", [], view));
    for (const server of asked) {
      if (removed.has(server)) continue;
      const old = after.get(server);
      const { policy } = (await settingsFor(server, options)).settings;
      const standing = await standingOf(ledger, server, policy);
      const found = standing === undefined ? undefined : lockedServer(standing, variablesOf(server, entries));
      const leftOut = (found?.leftOut ?? []).map((one) => ({ ...one, name: shownName(one.name, view) }));
      if (found?.server === undefined) {
        if (options.servers.length > 0 || old === undefined) throw nothingOf(server);
        rows.push(rowOf(old, old, "kept", leftOut, view));
        continue;
      }
      const next = old !== undefined && isSameServer(old, found.server) ? old : found.server;
      after.set(server, next);
      rows.push(rowOf(old, next, old === undefined ? "added" : next === old ? "unchanged" : "changed", leftOut, view));
    }
    const text = writeLockfile({ servers: [...after.values()] });
    const unchanged = bytes?.toString("utf8") === text;
    if (!unchanged && options.check !== true) await writeWhole(realPathOf(path), text);
    const differs = options.check === true && !unchanged;
    const waits = rows.some(({ leftOut }) =>
      leftOut.some(({ because }) => because === "WAITS" || because === "EXPIRED"),
    );
    return {
      ...{ path, digest: `sha256:${createHash("sha256").update(text).digest("hex")}` },
      ...{ unchanged, written: !unchanged && options.check !== true },
      servers: rows.sort((one, other) => (one.server < other.server ? -1 : 1)),
      exitCode: differs || waits ? exitCodes.unapproved : exitCodes.clean,
    };
  });
}

interface Around {
  readonly before: readonly LockedServer[];
  readonly entries: readonly ProjectEntry[];
  readonly path: string;
}

function variablesOf(server: ServerName, entries: readonly ProjectEntry[]): ReadonlySet<string> {
  const own = entries.filter((entry) => entry.server === server);
  return new Set(own.flatMap(({ reach }) => (reach.is === "stdio" ? [...reach.env.keys()] : [])));
}

async function serversFor(
  { servers }: LockOptions,
  ledger: Ledger,
  { before, entries, path }: Around,
): Promise<readonly ServerName[]> {
  if (servers.length > 0) return [...new Set(servers.map(serverNamed))];
  const known = [...(await ledger.state()).servers]
    .filter(([, { bindings }]) => bindings.size > 0)
    .map(([name]) => name);
  const named = entries.flatMap(({ server }) => (known.includes(server) ? [server] : []));
  const all = new Set([...before.map(({ server }) => server), ...named]);
  if (all.size > 0) return [...all];
  throw new GateError(
    "USAGE",
    `Cannot tell which servers to lock: there is no lockfile, and no host's config in "${visible(dirname(path))}" names one that is approved; ` +
      (known.length === 0
        ? "nothing is approved yet; run a server, then countersign review"
        : `name them, as in countersign lock ${known.slice(0, 8).join(" ")}`),
  );
}

function nothingOf(server: ServerName): GateError {
  return new GateError(
    "NO_SERVER",
    `Cannot lock ${server}: the ledger approves nothing of it; look at it with countersign review ${server}`,
  );
}

/** Which rules had their say is no news where nothing was decided. */
function isSameServer(one: LockedServer, other: LockedServer): boolean {
  const text = (server: LockedServer) => writeLockfile({ servers: [{ ...server, ruleset: one.ruleset }] });
  return text(one) === text(other);
}

function rowOf(
  before: LockedServer | undefined,
  after: LockedServer | undefined,
  is: LockRow["is"],
  leftOut: readonly LeftOut[],
  view: View,
): LockRow {
  const server = after?.server ?? before?.server ?? "";
  const changes = is === "kept" || is === "unchanged" ? [] : changesOf(before, after, view);
  return { server, is, definitions: after?.definitions.length ?? 0, changes, leftOut };
}

function changesOf(before: LockedServer | undefined, after: LockedServer | undefined, view: View): LockRow["changes"] {
  const were = byKey(before);
  const are = byKey(after);
  const row = ({ address: { kind, name } }: LockedDefinition, is: LockRow["changes"][number]["is"]) => {
    return { kind, name: shownName(name, view), is };
  };
  const spelled = (one: LockedDefinition) => {
    const { server } = one.address;
    return after === undefined ? "" : writeLockfile({ servers: [{ ...after, server, definitions: [one] }] });
  };
  return [
    ...[...were].filter(([key]) => !are.has(key)).map(([, one]) => row(one, "removed")),
    ...[...are].flatMap(([key, one]) => {
      const was = were.get(key);
      if (was === undefined) return [row(one, "added")];
      return spelled(was) === spelled(one) ? [] : [row(one, "changed")];
    }),
  ];
}

function byKey(server: LockedServer | undefined): ReadonlyMap<string, LockedDefinition> {
  return new Map(server?.definitions.map((one) => [addressKey(one.address), one]));
}

/** Whoever reads it meanwhile has the old file or the new one. */
async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = join(dirname(path), `.countersign.lock.${randomBytes(6).toString("hex")}`);
  await writeFile(unfinished, text, { flag: "wx" });
  await rename(unfinished, path);
}
