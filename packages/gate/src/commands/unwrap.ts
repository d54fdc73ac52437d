import type { ServerName } from "@countersign/core";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import type { Entry } from "../hosts/entry.ts";
import { type Guarded, guardedBy } from "../hosts/guarded-by.ts";
import type { Surroundings } from "../hosts/host.ts";
import type { HostId } from "../hosts/host-id.ts";
import type { HostFileProblem } from "../hosts/problem.ts";
import { readHosts } from "../hosts/read-hosts.ts";
import { type FileRewritten, type Refusal, type Rewrite, rewriteFiles } from "../wrapping/rewrite-files.ts";
import { type Chosen, foundEntries, isChosen } from "../wrapping/select-entries.ts";
import { forgetRecord, recordOf, type WrapRecord } from "../wrapping/wrap-records.ts";
import { type FileChange, type HostNote, noteOf } from "./wrap.ts";

export interface UnwrapOptions extends Chosen {
  readonly dryRun: boolean;
}

export interface UnwrapRow {
  readonly host: HostId;
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly server: ServerName;
  readonly is: "unwrapped" | "would-be-unwrapped" | "left";
  readonly because?: Refusal | "MANAGED" | "PROJECT" | "PLUGIN" | "BROKEN_FILE";
}

export interface UnwrapReport {
  readonly rows: readonly UnwrapRow[];
  readonly files: readonly FileChange[];
  readonly problems: readonly HostFileProblem[];
  readonly hosts: readonly HostNote[];
  readonly dryRun: boolean;
  readonly exitCode: ExitCode;
}

/** Takes the gate away again, whoever put it there. What somebody changed in an entry meanwhile stays. */
export async function unwrap(
  options: UnwrapOptions,
  surroundings: Surroundings,
  done: (file: FileRewritten) => void,
): Promise<UnwrapReport> {
  const { entries, problems } = await readHosts(surroundings);
  const found = foundEntries(entries).filter((one) => isChosen(one, options));
  const unknown = options.only.filter((name) => !found.some(({ entry }) => entry.name === name));
  if (unknown.length > 0) {
    throw new GateError(
      "USAGE",
      `Cannot unwrap ${unknown.map((name) => JSON.stringify(name)).join(", ")}: no file of these hosts has an entry of that name; countersign doctor lists them`,
    );
  }
  const going: { row: UnwrapRow; entry: Entry; hosts: readonly HostId[]; rewrite: Rewrite }[] = [];
  const left: UnwrapRow[] = [];
  for (const { entry, hosts, server } of found) {
    const guarded = guardedBy(entry);
    if (guarded === undefined) continue;
    const row = { host: entry.host, path: entry.file.path, line: entry.line, name: entry.name, server };
    const record = await recordOf(entry);
    const because = whyLeft(entry, options, record);
    if (because !== undefined) left.push({ ...row, is: "left", because });
    else {
      const is = options.dryRun ? "would-be-unwrapped" : "unwrapped";
      going.push({ row: { ...row, is }, entry, hosts, rewrite: rewriteOf(entry, guarded, record) });
    }
  }
  const { files, refused } = await rewriteFiles(
    going.map(({ rewrite }) => rewrite),
    { write: !options.dryRun, written: done },
  );
  const rows = going.map(({ row, entry }): UnwrapRow => {
    const refusal = refused.get(entry);
    return refusal === undefined ? row : { ...row, is: "left", because: refusal.because };
  });
  const gone = going.filter(({ entry }) => !refused.has(entry));
  if (!options.dryRun) for (const { entry } of gone) await forgetRecord(entry);
  return {
    ...{ rows: [...rows, ...left], files, problems, dryRun: options.dryRun },
    hosts: [...new Set(gone.flatMap(({ hosts }) => hosts))].map(noteOf),
    exitCode: refused.size > 0 ? exitCodes.incomplete : exitCodes.clean,
  };
}

/** What a repository or an administrator guards by itself is not ours to open; what `wrap` did there is. */
function whyLeft(
  { file: { scope }, oddities }: Entry,
  { only }: Chosen,
  record: WrapRecord | undefined,
): UnwrapRow["because"] {
  if (oddities.some(({ code }) => code === "BROKEN_FILE")) return "BROKEN_FILE";
  const ours = record !== undefined || only.length > 0;
  switch (scope) {
    case "user":
      return undefined;
    case "managed":
      return "MANAGED";
    case "project":
      return ours ? undefined : "PROJECT";
    case "plugin":
      return ours ? undefined : "PLUGIN";
  }
}

function rewriteOf(entry: Entry, { behind }: Guarded, { was, remote }: WrapRecord = {}): Rewrite {
  if (entry.reach.is !== "stdio") throw new RangeError("only a command is guarded");
  if (behind.is === "remote") {
    const { url, headers, transport } = behind;
    const meant = { url, headers };
    const change = { is: "unwrap-remote", behind: meant, transport } as const;
    return { entry, change: remote === undefined ? change : { ...change, was: remote }, meant };
  }
  const guard = entry.reach.args.length - behind.args.length;
  const pinned = was?.pinned;
  const at = pinned === undefined ? -1 : behind.args.indexOf(pinned.to);
  const args = behind.args.map((word, index) => (index === at && pinned !== undefined ? pinned.from : word));
  const change = { is: "unwrap", guard, ...(was === undefined ? {} : { was }) } as const;
  return { entry, change, meant: { command: behind.command, args } };
}
