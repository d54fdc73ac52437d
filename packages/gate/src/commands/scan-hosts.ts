import {
  asSent,
  emptySnapshot,
  type Offer,
  type RawDefinition,
  type Ruling,
  type ServerName,
  visible,
} from "@countersign/core";
import { type Policy, rule } from "@countersign/judge";
import { mayIdentify } from "@countersign/ledger";
import type { Command } from "@countersign/wire";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import type { Entry, Oddity, Reach } from "../hosts/entry.ts";
import { entryId } from "../hosts/entry-id.ts";
import { guardedBy } from "../hosts/guarded-by.ts";
import type { Scope, Surroundings } from "../hosts/host.ts";
import { type HostId, hostIds } from "../hosts/host-id.ts";
import type { HostFileProblem } from "../hosts/problem.ts";
import { readHosts } from "../hosts/read-hosts.ts";
import { type RemoteStart, remoteStartOf } from "../hosts/remote-start-of.ts";
import { serverNames } from "../hosts/server-names.ts";
import { type Impossible, startOf } from "../hosts/start-of.ts";
import { serverOf, type WhyLeft, whyLeft } from "../hosts/why-left.ts";
import { inParallel } from "../in-parallel.ts";
import { launchOffer } from "../launch/launch-offer.ts";
import { withoutSecrets } from "../launch/without-secrets.ts";
import { type Look, lookAt, type RemoteTarget } from "../look.ts";
import { type LookFailure, lookFailureOf } from "../look-failure.ts";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { floatingIn } from "../print/launch-row.ts";
import { sayLookFailure } from "../print/say-look-failure.ts";
import { shownReach } from "../print/shown-reach.ts";
import { shownName, type View } from "../print/view.ts";
import type { Ignored, SettingsHere } from "../project/config-files.ts";
import { settingsHere } from "../project/settings-here.ts";
import { credentialFor } from "../remote/credential-for.ts";
import { isFound, unapproved } from "./scan.ts";

export interface ScanHostsOptions {
  readonly surroundings: Surroundings;
  readonly config?: string;
  /** Hosts, and servers by either of their names; everything where nothing is named. */
  readonly only?: readonly string[];
  /** Starts nothing at all. */
  readonly noSpawn: boolean;
  /** Ids of entries that somebody has looked at and wants to be started. */
  readonly spawn: readonly string[];
  /** Servers that are started at the same time. */
  readonly jobs: number;
  /** Milliseconds for each server. */
  readonly deadline: number;
  /** Ends the servers that are running, and the scan. */
  readonly stop?: AbortSignal;
  /** One line for each server that has been looked at. */
  readonly progress: (one: Progress) => void;
  /** Asks a person who is there whether to start exactly this; undefined where nobody is. */
  readonly ask?: (asked: Asked) => Promise<"yes" | "no" | "gone">;
}

export interface Progress {
  readonly server: ServerName;
  readonly done: number;
  readonly of: number;
}

/** What a person has to see whole before it is started. */
export interface Asked {
  readonly entry: Entry;
  readonly because: WhyLeft;
  readonly reach: Exclude<Reach, { is: "opaque" }>;
}

export interface ScanHostsReport {
  readonly servers: readonly HostServerRow[];
  /** What was found in each server that was looked at; several entries may have led to one. */
  readonly looks: readonly LookRow[];
  readonly problems: readonly HostFileProblem[];
  readonly searched: readonly { readonly host: HostId; readonly path: string; readonly there: boolean }[];
  readonly ignored: readonly Ignored[];
  /** Entries that `--only` left out. */
  readonly leftOut: number;
  readonly exitCode: ExitCode;
}

export interface HostServerRow {
  /** For `--spawn`. */
  readonly id: string;
  readonly host: HostId;
  readonly server: ServerName;
  /** As the file has it, as far as the view shows it. */
  readonly name: string;
  readonly scope: Scope;
  readonly path: string;
  readonly line: number;
  /** How the server is reached, behind the guard if there is one: not expanded, and without its secrets. */
  readonly reached: string;
  readonly guarded: boolean;
  readonly oddities: readonly Oddity[];
  readonly outcome: Outcome;
}

export type Outcome =
  /** `look` is an index of `looks`. */
  | { readonly is: "looked-at"; readonly look: number }
  | { readonly is: "left"; readonly because: WhyLeft | "NO_SPAWN" }
  | { readonly is: "impossible"; readonly because: Impossible; readonly what: string };

export interface LookRow {
  readonly server: ServerName;
  readonly definitions: readonly DefinitionRow[];
  readonly failures: Look["failures"];
  readonly floating: readonly string[];
  readonly failure?: { readonly code: LookFailure["code"]; readonly said: string };
}

/**
 * Finds the servers of every host on this machine, starts those that the user wrote, and judges what they offer. Writes
 * nothing, and starts nothing that somebody else wrote before somebody has said yes to exactly that.
 */
export async function scanHosts(options: ScanHostsOptions, view: View): Promise<ScanHostsReport> {
  const { surroundings } = options;
  const reading = await readHosts(surroundings);
  const names = serverNames(reading.entries);
  const named = (entry: Entry) => nameIn(names, entry);
  const entries = reading.entries.filter((entry) => isMeant(entry, named(entry), options.only));
  refuseUnknown(options, reading.entries, named);

  const problems = reading.problems.filter(({ host }) => isPossiblyMeant(host, options.only));
  const plans = await planned(entries, options);
  const starts = startsOf(plans, named);
  const settings = new Map<ServerName, SettingsHere>();
  for (const { server } of starts.values()) settings.set(server, await settingsHere(server, options.config));
  let done = 0;
  const looks = await inParallel([...starts.values()], options.jobs, async (start) => {
    refuseStopped(options.stop);
    const look = await lookSafely(start, options);
    refuseStopped(options.stop);
    options.progress({ server: start.server, done: ++done, of: starts.size });
    return { ...start, look };
  });
  const rows = looks.map((looked) => lookRow(looked, looks, settings.get(looked.server)?.settings.policy, view));
  const keys = [...starts.keys()];
  const servers = plans.map(({ entry, plan }): HostServerRow => {
    const outcome: Outcome =
      plan.is === "start" ? { is: "looked-at", look: keys.indexOf(startKey(named(entry), plan.start)) } : plan;
    return {
      id: entryId(entry),
      ...{ host: entry.host, server: named(entry), name: shownName(entry.name, view), scope: entry.file.scope },
      ...{ path: entry.file.path, line: entry.line },
      reached: shownReach(serverOf(entry), entry.file.scope, view),
      guarded: guardedBy(entry) !== undefined,
      oddities: entry.oddities.map((oddity) => shownOddity(oddity, view)),
      // Why a URL is not reached is said in words of ours.
      outcome:
        outcome.is === "impossible" && outcome.because !== "BAD_URL"
          ? { ...outcome, what: shownName(outcome.what, view) }
          : outcome,
    };
  });
  return {
    servers,
    looks: rows,
    problems: problems.map((problem) => shownProblem(problem, view)),
    searched: reading.searched.map(({ host, file, there }) => ({
      host,
      path: file.path,
      there: there.is !== "nothing",
    })),
    ignored: onePerPath([...settings.values()].flatMap(({ ignored }) => ignored)),
    leftOut: reading.entries.length - entries.length,
    exitCode: exitCodeFor(servers, rows, problems, options),
  };
}

/** What is looked at: a command that is started, or a URL. */
type Lookable = { readonly is: "command"; readonly command: Command } | Extract<RemoteStart, { is: "remote" }>;

type Plan = { readonly is: "start"; readonly start: Lookable } | Exclude<Outcome, { is: "looked-at" }>;

interface Planned {
  readonly entry: Entry;
  readonly plan: Plan;
}

/** Questions are asked one after the other, before anything starts. */
async function planned(entries: readonly Entry[], options: ScanHostsOptions): Promise<readonly Planned[]> {
  const plans: Planned[] = [];
  let { ask } = options;
  for (const entry of entries) {
    const reach = serverOf(entry);
    let because: WhyLeft | "NO_SPAWN" | undefined = options.noSpawn ? (whyLeft(entry) ?? "NO_SPAWN") : whyLeft(entry);
    if (because !== undefined && because !== "NO_SPAWN" && reach.is !== "opaque" && !options.noSpawn) {
      if (options.spawn.includes(entryId(entry))) because = undefined;
      // What the host does not start is not worth a question.
      else if (ask !== undefined && because !== "DISABLED") {
        const answer = await ask({ entry, because, reach });
        if (answer === "gone") ask = undefined;
        if (answer === "yes") because = undefined;
      }
    }
    if (because !== undefined || reach.is === "opaque") {
      plans.push({ entry, plan: { is: "left", because: because ?? "NOT_UNDERSTOOD" } });
      continue;
    }
    const { surroundings } = options;
    const start =
      reach.is === "stdio" ? await startOf(entry, reach, surroundings) : remoteStartOf(entry, reach, surroundings);
    plans.push({ entry, plan: start.is === "impossible" ? start : { is: "start", start } });
  }
  return plans;
}

interface Started {
  readonly server: ServerName;
  readonly start: Lookable;
  readonly hosts: ReadonlySet<HostId>;
}

/** One server that stands in three hosts is started once. */
function startsOf(plans: readonly Planned[], named: (entry: Entry) => ServerName): ReadonlyMap<string, Started> {
  const starts = new Map<string, Started & { hosts: Set<HostId> }>();
  for (const { entry, plan } of plans) {
    if (plan.is !== "start") continue;
    const key = startKey(named(entry), plan.start);
    const start = starts.get(key) ?? { server: named(entry), start: plan.start, hosts: new Set() };
    start.hosts.add(entry.host);
    starts.set(key, start);
  }
  return starts;
}

function startKey(server: ServerName, start: Lookable): string {
  if (start.is === "remote") return JSON.stringify([server, start.url.href, start.transport, [...start.headers]]);
  const { command, args, cwd, env } = start.command;
  return JSON.stringify([server, command, args, cwd, Object.entries(env ?? {})]);
}

/** Rulings that keep everything back: what is found is judged when all servers are known. */
function unruled({ address, received }: RawDefinition): Ruling {
  return { address, received, verdict: "quarantine", reasons: [] };
}

function refuseStopped(stop: AbortSignal | undefined): void {
  if (stop?.aborted !== true) return;
  throw new GateError(
    "INCOMPLETE",
    "Cannot finish the scan: it was interrupted, and every server that it had started was ended",
  );
}

/** Some command lines the system refuses at once, as one that is too long. */
async function lookSafely({ server, start }: Started, { deadline, stop }: ScanHostsOptions): Promise<Look> {
  try {
    const command = start.is === "command" ? start.command : await targetOf(server, start);
    const rule = async (offer: Offer) => offer.definitions.map(unruled);
    return await lookAt({ server, command, rule, deadline, ...(stop === undefined ? {} : { stop }) });
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    const ended = { is: "not-started", code: String(error.code) } as const;
    return { offers: [], failures: [], ended, lastWords: "", asksToSignIn: false };
  }
}

async function targetOf(server: ServerName, start: Extract<Lookable, { is: "remote" }>): Promise<RemoteTarget> {
  const { url, transport } = start;
  return { url, transport, ...(await credentialFor({ server, remote: start, say: () => undefined })) };
}

interface Looked extends Started {
  readonly look: Look;
}

function lookRow(looked: Looked, all: readonly Looked[], policy: Policy | undefined, view: View): LookRow {
  if (policy === undefined) throw new RangeError("every server that was started has settings");
  const { server, start, look } = looked;
  const tools = all
    .filter((other) => other.server !== server && [...other.hosts].some((host) => looked.hosts.has(host)))
    .flatMap((other) => other.look.offers.flatMap(({ definitions }) => definitions))
    .filter(({ address }) => address.kind === "tool");
  const snapshot = {
    ...emptySnapshot,
    neighbours: tools.map(({ address }) => address),
    identified: tools.map(({ text }) => text).filter(mayIdentify),
  };
  const definitions = look.offers.flatMap((offer) => rowsOf(offer, rule(offer, snapshot, policy), view));
  const failure = lookFailureOf(look);
  const [launch] = start.is === "command" ? launchOffer(server, start.command).definitions : [];
  const told =
    start.is === "command"
      ? ({ is: "stdio", command: withoutSecrets(start.command.command) } as const)
      : ({ is: "http", server } as const);
  return {
    ...{ server, definitions, failures: look.failures },
    floating: launch === undefined ? [] : floatingIn(launch),
    ...(failure === undefined
      ? {}
      : { failure: { code: failure.code, said: sayLookFailure(failure, told, look.lastWords, view) } }),
  };
}

function rowsOf(offer: Offer, rulings: readonly Ruling[], view: View): readonly DefinitionRow[] {
  return [
    ...offer.definitions.map((definition, index) =>
      definitionRow({ definition, ruling: unapproved(rulings[index]), plan: asSent }, view),
    ),
    ...offer.malformed.map((malformed) => malformedRow(malformed, view)),
  ];
}

/** A key, a variable and what a reader repeats of a file are the words of whoever wrote the file. */
function shownOddity(oddity: Oddity, view: View): Oddity {
  switch (oddity.code) {
    case "DUPLICATE_KEY":
      return { ...oddity, key: shownName(oddity.key, view) };
    case "UNKNOWN_VARIABLE":
      return { ...oddity, text: shownName(oddity.text, view) };
    case "COMMAND_AND_URL":
    case "COMMAND_LINE":
    case "BROKEN_FILE":
      return oddity;
  }
}

function shownProblem({ detail, ...problem }: HostFileProblem, view: View): HostFileProblem {
  if (detail === undefined) return problem;
  const plain = /^[\w ,'-]{1,120}$/.test(detail);
  return { ...problem, detail: plain ? detail : shownName(detail, view) };
}

function onePerPath(ignored: readonly Ignored[]): readonly Ignored[] {
  return [...new Map(ignored.map((one) => [one.path, one])).values()];
}

function nameIn(names: ReadonlyMap<Entry, ServerName>, entry: Entry): ServerName {
  const name = names.get(entry);
  if (name === undefined) throw new RangeError("every entry has a name");
  return name;
}

function isMeant(entry: Entry, server: ServerName, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((one) => one === entry.host || one === entry.name || one === server);
}

/** What could not be read of a host may have held a server that was named. */
function isPossiblyMeant(host: HostId, only: readonly string[] | undefined): boolean {
  return only === undefined || only.includes(host) || only.some((one) => !isHostId(one));
}

function isHostId(text: string): boolean {
  const ids: readonly string[] = hostIds;
  return ids.includes(text);
}

/** A word that names nothing would leave out everything without a word. */
function refuseUnknown(
  { only = [], spawn }: ScanHostsOptions,
  entries: readonly Entry[],
  named: (entry: Entry) => ServerName,
): void {
  const unknown = only.find((one) => !isHostId(one) && !entries.some((entry) => isMeant(entry, named(entry), [one])));
  if (unknown !== undefined) {
    throw new GateError(
      "USAGE",
      `Cannot scan only "${visible(unknown)}": no host and no server is called so; countersign scan --no-spawn lists them`,
    );
  }
  const gone = spawn.find((id) => !entries.some((entry) => entryId(entry) === id));
  if (gone !== undefined) {
    throw new GateError(
      "USAGE",
      `Cannot start "${visible(gone)}": no entry has that id, which changes with its command; countersign scan --no-spawn --text lists them`,
    );
  }
}

/**
 * What should have been looked at and was not makes it incomplete; so does what waits for a yes. What the host itself does not
 * start, and what somebody left out by name or by `--no-spawn`, does not.
 */
function exitCodeFor(
  servers: readonly HostServerRow[],
  looks: readonly LookRow[],
  problems: readonly HostFileProblem[],
  { noSpawn }: ScanHostsOptions,
): ExitCode {
  const waits = servers.some(
    ({ outcome }) =>
      outcome.is === "impossible" || (outcome.is === "left" && outcome.because !== "DISABLED" && !noSpawn),
  );
  const missed = looks.some(({ failure, failures }) => failure !== undefined || failures.length > 0);
  if (waits || missed || problems.length > 0) return exitCodes.incomplete;
  return looks.some(({ definitions }) => definitions.some(isFound)) ? exitCodes.findings : exitCodes.clean;
}
