import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, dirname, relative } from "node:path";
import { type Effect, type LockedServer, type LockfileReading, visible } from "@countersign/core";
import type { Policy } from "@countersign/judge";
import type { Command } from "@countersign/wire";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { checkProjects, type ProjectRow } from "../lock/check-projects.ts";
import {
  aboutServer,
  type CheckedServer,
  checkServer,
  type CheckOptions as JudgeOptions,
} from "../lock/check-server.ts";
import { lockfileBytesAt, lockfileIn, lockfilePath } from "../lock/lockfile-at.ts";
import { lookAtCaptured } from "../lock/look-at-captured.ts";
import { type LookedAt, lookAtLocked, type Startable, startable } from "../lock/look-at-locked.ts";
import { besideOf } from "../lock/snapshot-of-lock.ts";
import type { View } from "../print/view.ts";
import type { Ignored } from "../project/config-files.ts";
import { repositoryOf } from "../project/repository.ts";
import { settingsHere } from "../project/settings-here.ts";
import type { Target } from "../remote/target.ts";

export interface CheckOptions {
  readonly path?: string;
  readonly config?: string;
  /** Where the offers come from. Without either, servers are started as they are locked. */
  readonly from:
    | { readonly is: "spawn"; readonly agree: (commands: readonly StartRow[]) => Promise<boolean> }
    /** One server, by a command that whoever calls has named. */
    | { readonly is: "command"; readonly server: string; readonly command: Command }
    | { readonly is: "captured"; readonly folder: string }
    /** Nothing is looked at but the files. */
    | { readonly is: "nothing" };
  /** The only servers to check. */
  readonly only?: readonly string[];
  /** The least effect of a finding that nobody acknowledged that counts, where nothing else is amiss. */
  readonly failOn: Exclude<Effect, "note"> | "never";
  /** Judge also what is as it was approved, and was judged by the same rules then. */
  readonly all: boolean;
  /** Milliseconds for each server. */
  readonly deadline: number;
  /** How many servers at once. */
  readonly jobs: number;
}

/** A command that would be started, word by word. The lockfile wrote it. */
export interface StartRow {
  readonly server: string;
  readonly target: Target;
}

export interface CheckReport {
  /** Relative to the repository around it, with `/`. */
  readonly lockfile: string;
  /** SHA-256 of the file. */
  readonly digest: string;
  readonly looked: CheckOptions["from"]["is"];
  readonly servers: readonly ServerCheck[];
  /** What host configs of the project would start. */
  readonly projects: readonly ProjectRow[];
  /** Captures of servers that the lockfile does not hold. */
  readonly unlocked: readonly string[];
  /** What a project's config asks for, and may not. */
  readonly ignored: readonly Ignored[];
  readonly exitCode: ExitCode;
}

export interface ServerCheck extends CheckedServer {
  /** Why nothing of it was looked at. */
  readonly notLookedAt?: string;
  /** What the server wrote last, made visible; only in a view that shows text. */
  readonly lastWords?: string;
}

/** Holds what servers offer now against what a lockfile approves. Writes nothing, and asks no ledger. */
export async function check(options: CheckOptions, view: View): Promise<CheckReport> {
  const path = lockfilePath(options.path);
  const bytes = await lockfileBytesAt(path);
  const reading = lockfileIn(bytes, path);
  const all = reading.lockfile.servers;
  const only = onlyThese(options, all, path);
  const asked = all.filter(({ server }) => only === undefined || only.has(server));
  const { policies, ignored } = await policiesFor(asked, options);
  const captured = options.from.is === "captured" ? await capturesIn(options.from.folder) : new Set<string>();
  const looks = await looksAt(asked, { options, folder: dirname(path), captured });
  const now = Date.now();
  const servers = await inTurn(options.jobs, asked, async (locked): Promise<ServerCheck> => {
    const policy = policies.get(locked.server);
    const look = looks.get(locked.server);
    if (policy === undefined || look === undefined) throw new RangeError("a server that is asked has both");
    return checkOne(locked, await look(), { reading, policy, now, view, all: options.all });
  });
  const unlocked = [...captured].filter((name) => only === undefined && !all.some(({ server }) => server === name));
  const report = {
    lockfile: pathInRepository(path),
    digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    looked: options.from.is,
    servers,
    projects: options.from.is === "captured" ? [] : await checkProjects(dirname(path), all, only),
    unlocked: unlocked.sort(),
    ignored,
  };
  return { ...report, exitCode: exitCodeFor(report, options) };
}

/** What is known of a server: what it offers, or why that is nothing; undefined where nobody looks. */
type Known = LookedAt | { readonly because: string } | undefined;

interface Looking {
  readonly options: CheckOptions;
  readonly folder: string;
  readonly captured: ReadonlySet<string>;
}

/** How each server will be looked at, once it is agreed what is started. */
async function looksAt(
  asked: readonly LockedServer[],
  { options: { from, deadline }, folder, captured }: Looking,
): Promise<ReadonlyMap<string, () => Promise<Known>>> {
  const way = (locked: LockedServer, start: Startable) => async (): Promise<Known> =>
    "because" in start ? start : lookAtLocked(locked, start, deadline);
  switch (from.is) {
    case "nothing":
      return new Map(asked.map(({ server }) => [server, async () => undefined]));
    case "captured":
      return new Map(
        asked.map(({ server }) => [
          server,
          async () => (captured.has(server) ? lookAtCaptured(server, from.folder) : { because: "NOT_CAPTURED" }),
        ]),
      );
    case "command":
      return new Map(
        asked.map((locked) => [
          locked.server,
          way(locked, { is: "stdio", command: { cwd: process.cwd(), ...from.command } }),
        ]),
      );
    case "spawn": {
      const starts = asked.map((locked) => ({ locked, start: startable(locked, folder) }));
      const rows = starts.flatMap(({ locked: { server }, start }) =>
        "because" in start ? [] : [{ server, target: start }],
      );
      if (rows.length > 0 && !(await from.agree(rows))) {
        throw new GateError("DECLINED", "Did not check: nobody agreed to start what the lockfile names");
      }
      return new Map(starts.map(({ locked, start }) => [locked.server, way(locked, start)]));
    }
  }
}

interface Judging extends Omit<JudgeOptions, "linesOf"> {
  readonly reading: LockfileReading;
}

function checkOne(locked: LockedServer, known: Known, { reading, ...judging }: Judging): ServerCheck {
  const nothing = { ...aboutServer(locked, reading), definitions: [], failures: [] };
  if (known === undefined) return nothing;
  if ("because" in known) return { ...nothing, notLookedAt: known.because };
  const { trouble, offers, failures } = known;
  if (trouble !== undefined && offers.length === 0) {
    const said = judging.view.text && trouble.lastWords !== "" ? { lastWords: trouble.lastWords.slice(0, 300) } : {};
    return { ...nothing, failures, notLookedAt: trouble.code, ...said };
  }
  const beside = besideOf(locked, reading.lockfile.servers);
  const one = checkServer(locked, known, beside, { linesOf: reading.linesOf, ...judging });
  return trouble === undefined ? one : { ...one, notLookedAt: trouble.code };
}

/** @throws GateError where one of them is not in the lockfile */
function onlyThese({ from, only }: CheckOptions, all: readonly LockedServer[], path: string) {
  const named = from.is === "command" ? [from.server] : only;
  const unknown = (named ?? []).filter((name) => !all.some(({ server }) => server === name));
  if (unknown.length > 0) throw notInLockfile(unknown, path);
  return named === undefined ? undefined : new Set(named);
}

async function capturesIn(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(
      (await readdir(folder)).filter((file) => file.endsWith(".json")).map((file) => basename(file, ".json")),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") throw error;
    throw new GateError(
      "USAGE",
      `Cannot read captured offers from "${visible(folder)}": ${code}; give a folder of .json captures`,
      { cause: error },
    );
  }
}

/** The repository's config tightens here as it does everywhere. */
async function policiesFor(servers: readonly LockedServer[], { config }: CheckOptions) {
  const policies = new Map<string, Policy>();
  const ignored = new Map<string, Ignored>();
  for (const { server } of servers) {
    const here = await settingsHere(server, config);
    policies.set(server, here.settings.policy);
    for (const one of here.ignored) ignored.set(JSON.stringify(one), one);
  }
  return { policies, ignored: [...ignored.values()] };
}

function notInLockfile(names: readonly string[], path: string): GateError {
  return new GateError(
    "USAGE",
    `Cannot check ${names.map(visible).join(", ")}: lockfile "${visible(path)}" holds nothing of it; lock it with countersign lock`,
  );
}

/** What is certain weighs more than what could not be seen, and that more than what a rule finds. */
function exitCodeFor(report: Omit<CheckReport, "exitCode">, { failOn, from }: CheckOptions): ExitCode {
  const { servers, projects, unlocked } = report;
  const definitions = servers.flatMap((one) => one.definitions);
  const amiss = definitions.some(({ state }) => state !== "bound" && state !== "unknown");
  const otherwise = projects.some(({ is }) => is === "NOT_LOCKED" || is === "NO_LAUNCH" || is === "LAUNCH_CHANGED");
  if (amiss || otherwise || unlocked.length > 0) return exitCodes.unapproved;
  const looksAtServers = from.is !== "nothing";
  const unseen = servers.some(({ failures, notLookedAt }) => failures.length > 0 || notLookedAt !== undefined);
  if (servers.length === 0 || unseen || definitions.some(({ state }) => state === "unknown"))
    return exitCodes.incomplete;
  if (projects.some(({ is }) => is !== "same")) return exitCodes.incomplete;
  if (looksAtServers && definitions.length === 0) return exitCodes.incomplete;
  const weights = ["never", "refuse", "ask"];
  const counted = new Set(weights.slice(1, weights.indexOf(failOn) + 1));
  const counts = definitions.some(({ claims }) =>
    claims.some(({ effect, acknowledged }) => !acknowledged && counted.has(effect)),
  );
  return counts ? exitCodes.findings : exitCodes.clean;
}

function pathInRepository(path: string): string {
  const around = repositoryOf(path) ?? process.cwd();
  const way = relative(around, path).replaceAll("\\", "/");
  return way.startsWith("..") ? path.replaceAll("\\", "/") : way;
}

/** Runs so many at once, and keeps their order. */
async function inTurn<T, R>(jobs: number, all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = [...all.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, all.length) }, worker));
  return results;
}
