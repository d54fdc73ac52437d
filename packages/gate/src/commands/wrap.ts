import { resolve } from "node:path";
import type { ServerName } from "@countersign/core";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { wasOf, wasRemoteOf } from "../hosts/edit/was-of.ts";
import type { Pinned, Wrapping } from "../hosts/edit/wrap-entry.ts";
import type { Entry } from "../hosts/entry.ts";
import type { Host, Surroundings } from "../hosts/host.ts";
import type { HostId } from "../hosts/host-id.ts";
import { hostOf } from "../hosts/hosts.ts";
import type { HostFileProblem } from "../hosts/problem.ts";
import { readHosts } from "../hosts/read-hosts.ts";
import type { View } from "../print/view.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { lastingPath } from "../wrapping/lasting-path.ts";
import { remoteWords } from "../wrapping/remote-words.ts";
import { type FileRewritten, type Refusal, type Rewrite, rewriteFiles } from "../wrapping/rewrite-files.ts";
import {
  type Chosen,
  type Found,
  foundEntries,
  isChosen,
  isGuarded,
  type Unfit,
  whyUnfit,
} from "../wrapping/select-entries.ts";
import { type Sat, sitting } from "../wrapping/sitting.ts";
import { keepRecord } from "../wrapping/wrap-records.ts";
import type { Places } from "./open.ts";
import type { Reviewer } from "./show-and-ask.ts";

export interface WrapOptions extends Places, Chosen {
  readonly dryRun: boolean;
  /** Milliseconds for one server to start and to say what it offers. */
  readonly deadline: number;
}

export interface WrapRow {
  readonly host: HostId;
  readonly path: string;
  readonly line: number;
  /** As the file has it: whoever wrote the file chose it. */
  readonly name: string;
  readonly server: ServerName;
  readonly is: "wrapped" | "would-be-wrapped" | "already" | "left";
  readonly because?: Unfit | Refusal | "DECLINED" | "QUIT";
  /** What came of the look at its server. */
  readonly sat?: Sat["is"];
  readonly pinned?: string;
}

export interface FileChange {
  readonly path: string;
  readonly backup?: string;
  /** The texts, for a diff. Whoever prints them masks what looks like a secret. */
  readonly before: string;
  readonly after: string;
}

export interface HostNote {
  readonly host: HostId;
  readonly title: string;
  readonly approvalAppears: Host["approvalAppears"];
}

export interface WrapReport {
  readonly rows: readonly WrapRow[];
  readonly files: readonly FileChange[];
  /** Files that could not be read, or not wholly. */
  readonly problems: readonly HostFileProblem[];
  /** When each host that has a new entry shows what is approved. */
  readonly hosts: readonly HostNote[];
  readonly dryRun: boolean;
  readonly exitCode: ExitCode;
}

/** A person who is asked, or nobody: then nothing is approved. */
export interface Asking {
  readonly reviewer: Reviewer | undefined;
  readonly view: View;
  /** One line for each thing done, as it is done. */
  readonly done: (file: FileRewritten) => void;
}

/**
 * Puts the gate in front of servers in the files of hosts. Each server is started once through the gate first, because hosts keep
 * the first list that they are given: what a person approves then is there when the host connects.
 */
export async function wrap(options: WrapOptions, surroundings: Surroundings, asking: Asking): Promise<WrapReport> {
  const { entries, problems } = await readHosts(surroundings);
  const found = foundEntries(entries).filter((one) => isChosen(one, options));
  const unknown = options.only.filter((name) => !found.some(({ entry }) => entry.name === name));
  if (unknown.length > 0) {
    throw new GateError(
      "USAGE",
      `Cannot wrap ${unknown.map((name) => JSON.stringify(name)).join(", ")}: no file of these hosts has an entry of that name; countersign doctor lists them`,
    );
  }
  const fit = found.filter((one) => !isGuarded(one) && whyUnfit(one.entry, options) === undefined);
  const script = await lastingPath({ make: !options.dryRun && fit.length > 0 });
  const words = await optionWords(options);
  // What a person wrote for every folder is the same server in each of them.
  const guardOf = ({ server, entry: { file, reach } }: Found) => {
    if (reach.is === "remote") return [process.execPath, script, "run", server, ...words] as const;
    const anywhere = file.scope === "user" ? ["--workspace=none"] : [];
    return [process.execPath, script, "run", server, ...words, ...anywhere, "--"] as const;
  };
  const sat = new Map<ServerName, Sat>();
  if (!options.dryRun) {
    for (const [server, ofServer] of Map.groupBy(fit, (one) => one.server)) {
      const [first] = ofServer;
      if (first === undefined) continue;
      const outcome = await sitting(first.entry, {
        ...{ server, guard: guardOf(first), surroundings, places: options, deadline: options.deadline },
        ...{ reviewer: asking.reviewer, view: asking.view },
      });
      sat.set(server, outcome);
      if (outcome.is === "quit") break;
    }
  }
  const quit = [...sat.values()].some(({ is }) => is === "quit");
  const going = quit ? [] : fit.filter(({ server }) => sat.get(server)?.is !== "declined");
  const pinnedOf = ({ server }: Found): Pinned | undefined => {
    const outcome = sat.get(server);
    return outcome !== undefined && "pinned" in outcome ? outcome.pinned : undefined;
  };
  const rewrites = going.map((one) => rewriteOf(one.entry, guardOf(one), pinnedOf(one)));
  const { files, refused } = await rewriteFiles(rewrites, { write: !options.dryRun, written: asking.done });
  const rows = found.map((one): WrapRow => {
    const { entry, server } = one;
    const row = { host: entry.host, path: entry.file.path, line: entry.line, name: entry.name, server };
    if (isGuarded(one)) return { ...row, is: "already" };
    const unfit = whyUnfit(entry, options);
    if (unfit !== undefined) return { ...row, is: "left", because: unfit };
    const outcome = sat.get(server);
    const looked = outcome === undefined ? {} : { sat: outcome.is };
    if (quit) return { ...row, ...looked, is: "left", because: "QUIT" };
    if (outcome?.is === "declined") return { ...row, is: "left", because: "DECLINED" };
    const refusal = refused.get(entry)?.because;
    if (refusal !== undefined) return { ...row, ...looked, is: "left", because: refusal };
    const pinned = pinnedOf(one)?.to;
    const is = options.dryRun ? "would-be-wrapped" : "wrapped";
    return { ...row, ...looked, is, ...(pinned === undefined ? {} : { pinned }) };
  });
  const touched = new Set(going.filter(({ entry }) => !refused.has(entry)).flatMap(({ hosts }) => hosts));
  return {
    ...{ rows, files, problems, hosts: [...touched].map(noteOf), dryRun: options.dryRun },
    exitCode: exitCodeFor(rows, refused.size),
  };
}

export function noteOf(id: HostId): HostNote {
  const { title, approvalAppears } = hostOf(id);
  return { host: id, title, approvalAppears };
}

/** Only what somebody named for this call: whatever else counts is found again by every guard. */
async function optionWords({ ledger, config }: Places): Promise<readonly string[]> {
  const path = ledger === undefined ? undefined : resolve(await ledgerPathOf(ledger));
  return [
    ...(path === undefined ? [] : ["--ledger", path]),
    ...(config === undefined ? [] : ["--config", resolve(config)]),
  ];
}

function rewriteOf(entry: Entry, guard: Wrapping["guard"], pinned: Pinned | undefined): Rewrite {
  if (entry.reach.is === "remote") {
    const wrapping = { guard, ...remoteWords(entry.reach) };
    const [command, ...args] = [...guard, ...wrapping.words];
    return {
      entry,
      change: { is: "wrap-remote", ...wrapping },
      meant: { command, args, env: wrapping.env },
      before: async (current, text) => {
        const remote = wasRemoteOf(current, text, wrapping);
        if (remote !== undefined) await keepRecord(current, { remote });
      },
    };
  }
  if (entry.reach.is !== "stdio") throw new RangeError("what cannot be reached is not wrapped");
  const behind = [entry.reach.command, ...entry.reach.args];
  const now = behind.map((word) => (word === pinned?.from ? pinned.to : word));
  const [command, ...args] = [...guard, ...now];
  const isLine = entry.oddities.some(({ code }) => code === "COMMAND_LINE");
  return {
    entry,
    change: {
      ...{ is: "wrap", guard },
      ...(isLine ? { line: behind } : {}),
      ...(pinned === undefined ? {} : { pinned }),
    },
    meant: { command, args },
    before: async (current, text) => {
      const was = wasOf(current, text, pinned);
      if (was !== undefined) await keepRecord(current, { was });
    },
  };
}

function exitCodeFor(rows: readonly WrapRow[], refused: number): ExitCode {
  if (refused > 0) return exitCodes.incomplete;
  const waits = rows.some(({ sat }) => sat !== undefined && sat !== "approved");
  return waits ? exitCodes.unapproved : exitCodes.clean;
}
