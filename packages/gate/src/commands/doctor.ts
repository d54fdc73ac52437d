import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { kinds, launchStanding, lists, type ServerName, visible } from "@countersign/core";
import { isKeyEvent, type Ledger, LedgerError, openSqlite, probeSqlite } from "@countersign/ledger";
import type { Fact } from "../fact.ts";
import { type ExitCode, exitCodes, GateError } from "../gate-error.ts";
import { surroundingsHere } from "../hosts/surroundings-here.ts";
import { sayIgnored } from "../print/say-ignored.ts";
import type { View } from "../print/view.ts";
import { configFilesHere } from "../project/config-files.ts";
import { ledgerPathOf } from "../project/ledger-path.ts";
import { realPathOf } from "../project/repository.ts";
import { settingsHere } from "../project/settings-here.ts";
import { type Holder, lockedBy, openedBy } from "../running/holders.ts";
import { type Ended, isAlive, type Note, type Running } from "../running/notes.ts";
import { readNotes } from "../running/read-notes.ts";
import { carriesOver, standingOf, waits } from "../standing.ts";
import { entryFacts } from "./entry-facts.ts";
import type { Places } from "./open.ts";
import { serverNamed } from "./scan.ts";

export interface DoctorReport {
  readonly facts: readonly Fact[];
  readonly exitCode: ExitCode;
}

/** Looks at what may keep somebody from working, and says what to do. Changes nothing. */
export async function doctor(
  options: { server?: string; fixed?: readonly Fact[] } & Places,
  view: View,
): Promise<DoctorReport> {
  const only = options.server === undefined ? undefined : serverNamed(options.server);
  const facts: Fact[] = [nodeFact(), ...(options.fixed ?? [])];
  const settings = await configFacts(options.config);
  facts.push(...settings);
  const notes = await readNotes();
  const { path, facts: about, ledger } = await ledgerFacts(options.ledger, notes);
  facts.push(...about);
  try {
    const mine = notes.filter((note) => path !== undefined && realPathOf(note.ledger) === realPathOf(path));
    const seen = ledger === undefined ? [] : [...(await ledger.state()).servers.keys()];
    const known = new Set<string>([...seen, ...mine.map(({ server }) => server)]);
    if (only !== undefined && !known.has(only)) facts.push(neverRun(only));
    for (const name of known) {
      const server = serverNamed(name);
      if (only !== undefined && server !== only) continue;
      const own = mine.filter((note) => note.server === server);
      if (ledger !== undefined) facts.push(...(await standingFacts(ledger, server, options.config)));
      facts.push(...own.flatMap((note) => noteFacts(note, view)));
      if (ledger !== undefined) facts.push(...(await hostFacts(ledger, server, own)));
    }
  } finally {
    await ledger?.close();
  }
  facts.push(...(await entryFacts(only, surroundingsHere(), view)));
  const todo = facts.some(({ is }) => is === "todo");
  return { facts, exitCode: todo ? exitCodes.unapproved : exitCodes.clean };
}

function nodeFact(): Fact {
  const text = `Node ${process.versions.node} at "${visible(process.execPath)}"; 22.13 or newer is needed`;
  return { about: "node", code: "NODE", is: "well", text };
}

async function configFacts(given: string | undefined): Promise<readonly Fact[]> {
  const { user, projects } = configFilesHere(given);
  const facts: Fact[] = [];
  const there = existsSync(user.path);
  const name = visible(user.path);
  facts.push({
    about: "config",
    code: "USER_CONFIG",
    is: "well",
    text: there ? `the user's is "${name}"` : `there is no user's config; it would be "${name}"`,
  });
  try {
    await settingsHere("any", given);
    if (projects.length === 0) return facts;
    const { readProjects } = await import("../project/read-projects.ts");
    for (const { path, trusted, loosens } of (await readProjects({ user, projects })).files) {
      const ignored = !trusted && loosens.length > 0;
      const well = `"${visible(path)}" of this project counts${trusted ? ", and is trusted" : ""}`;
      facts.push({
        about: "config",
        code: ignored ? "PROJECT_CONFIG_NOT_TRUSTED" : "PROJECT_CONFIG",
        is: ignored ? "todo" : "well",
        text: ignored ? sayIgnored({ path, settings: loosens }) : well,
      });
    }
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    facts.push({ about: "config", code: "CONFIG_BROKEN", is: "todo", text: error.message.replaceAll("\n ", "") });
  }
  return facts;
}

interface OpenedLedger {
  /** Absent where it may not be used. */
  readonly path?: string;
  readonly facts: readonly Fact[];
  readonly ledger?: Ledger;
}

/** Milliseconds for another process to be done. */
const patience = 1_000;

async function ledgerFacts(given: string | undefined, notes: readonly Note[]): Promise<OpenedLedger> {
  const fact = (is: Fact["is"], code: string, text: string): Fact => ({ about: "ledger", code, is, text });
  let path: string;
  try {
    path = resolve(await ledgerPathOf(given));
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    return { facts: [fact("todo", "LEDGER_NOT_TRUSTED", error.message)] };
  }
  const shown = `"${visible(path)}"`;
  if (!existsSync(path)) {
    const folder = nearestFolder(path);
    if (mayWrite(folder))
      return { path, facts: [fact("well", "NO_LEDGER", `${shown}: none yet; the first run makes it`)] };
    const text = `${shown}: none yet, and "${visible(folder)}" may not be written to; mend its permissions`;
    return { path, facts: [fact("todo", "LEDGER_NOT_WRITABLE", text)] };
  }
  const facts: Fact[] = [];
  const others = openedBy(path);
  if (others !== undefined && others.length > 0) {
    facts.push(fact("note", "LEDGER_OPEN", `open in ${sayHolders(others, notes)}`));
  }
  let ledger: Ledger | undefined;
  try {
    ledger = await openSqlite(path, { patience });
    const { seq } = await ledger.state();
    await probeSqlite(path, patience);
    facts.unshift(fact("well", "LEDGER", `${shown}: its journal of ${seq} entries is sound, and it can be written to`));
    return { path, facts, ledger };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const by = error.code === "LOCKED" ? `; locked by ${sayLock(path, notes)}` : "";
    facts.unshift(fact("todo", `LEDGER_${error.code}`, `${error.message}${by}`));
    if (error.code === "CORRUPT") await ledger?.close();
    return { path, facts, ...(ledger === undefined || error.code === "CORRUPT" ? {} : { ledger }) };
  }
}

function sayLock(path: string, notes: readonly Note[]): string {
  const holders = lockedBy(path);
  if (holders !== undefined) return sayHolders(holders, notes);
  const open = openedBy(path) ?? [];
  return open.length === 0 ? "another process" : `one of ${sayHolders(open, notes)}`;
}

function sayHolders(holders: readonly Holder[], notes: readonly Note[]): string {
  return holders
    .map(({ pid, program }) => {
      const note = notes.find((one) => one.is === "running" && one.pid === pid && isAlive(one));
      return `pid ${pid} (${visible(program)}${note === undefined ? "" : `, countersign run ${note.server}`})`;
    })
    .join(", ");
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : nearestFolder(folder);
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") return false;
    throw error;
  }
}

function neverRun(server: ServerName): Fact {
  const text = `never run with this ledger; see that a host's config has countersign run ${server} -- <command...>`;
  return { about: server, code: "NEVER_RUN", is: "todo", text };
}

async function standingFacts(ledger: Ledger, server: ServerName, config: string | undefined): Promise<readonly Fact[]> {
  const fact = (is: Fact["is"], code: string, text: string): Fact => ({ about: server, code, is, text });
  let settings: Awaited<ReturnType<typeof settingsHere>>["settings"];
  try {
    ({ settings } = await settingsHere(server, config));
  } catch (error) {
    if (error instanceof GateError) return []; // said of the config already
    throw error;
  }
  const standing = await standingOf(ledger, server, settings.policy);
  if (standing === undefined) return [];
  const facts: Fact[] = [];
  const bound = standing.definitions.filter(({ ruling }) => ruling.verdict === "bind").length;
  const at = new Date(standing.sighted).toISOString();
  facts.push(
    fact("well", "SEEN", `${bound} ${bound === 1 ? "definition" : "definitions"} bound; last seen to change at ${at}`),
  );
  const held = standing.definitions.filter(({ ruling }) => ruling.verdict !== "bind" && carriesOver(ruling)).length;
  if (launchStanding(standing.snapshot) === "held") {
    const text = `not started: it would not be reached as it was approved to be, so ${counted(held)} held; run countersign review ${server}, then reconnect the host`;
    facts.push(fact("todo", "LAUNCH_HELD", text));
  }
  const waiting = standing.definitions.filter(waits).length;
  if (waiting > 0)
    facts.push(
      fact("todo", "WAITING", `${counted(waiting)} held until somebody decides; run countersign review ${server}`),
    );
  if (standing.snapshot.unstableUntil !== undefined) {
    const until = new Date(standing.snapshot.unstableUntil).toISOString();
    facts.push(fact("todo", "UNSTABLE", `changes too often to be reviewed until ${until}; stop it from changing`));
  }
  return facts;
}

function counted(definitions: number): string {
  return definitions === 1 ? "1 definition is" : `${definitions} definitions are`;
}

function noteFacts(note: Note, view: View): readonly Fact[] {
  const facts: Fact[] = [];
  for (const [what, path] of [
    ["Node", note.node],
    ["Countersign", note.script],
  ] as const) {
    if (existsSync(path)) continue;
    const now = what === "Node" ? process.execPath : resolve(process.argv[1] ?? "");
    const text = `${what} moved: the one that ${note.is === "running" ? "runs" : "last ran"} it is gone, "${visible(path)}"; where a host's config names that, write "${visible(now)}"`;
    facts.push({ about: note.server, code: "MOVED", is: "todo", text });
  }
  if (note.is === "ended") facts.push(endFact(note, view));
  else if (!isAlive(note)) {
    const text = `the guard with pid ${note.pid} ended without a word: it was killed`;
    facts.push({ about: note.server, code: "GUARD_KILLED", is: "note", text });
  }
  return facts;
}

function endFact({ server, ending, at, answered, hostLeft, stderr }: Ended, view: View): Fact {
  const when = answered ? "" : " before it answered anything";
  const last = `the last time it ran, until ${at}, `;
  const fact = (is: Fact["is"], code: string, text: string): Fact => ({
    about: server,
    code,
    is,
    text: `${last}${text}`,
  });
  if (hostLeft || (ending.is === "exited" && ending.code === 0 && answered)) {
    return fact("well", "ENDED", "it ended as it should");
  }
  const lines = stderr.length === 1 ? "last line" : `last ${stderr.length} lines`;
  const said =
    stderr.length === 0 ? "; it wrote nothing to stderr" : view.text ? "" : `; its ${lines} on stderr: --text`;
  const words = stderr.length > 0 && view.text ? { stderr: stderr.map(visible) } : {};
  switch (ending.is) {
    case "exited":
      return { ...fact("todo", "EXITED", `the server exited with code ${ending.code}${when}${said}`), ...words };
    case "killed":
      return { ...fact("todo", "KILLED", `the server was ended by ${visible(ending.signal)}${when}${said}`), ...words };
    case "not-started":
      return fact(
        "todo",
        "NOT_STARTED",
        `the server could not be started (${visible(ending.code)}); check its command and the PATH of the host`,
      );
  }
}

/** Milliseconds in which a host asks again by itself, once it is told that a list changed. */
const asksAgain = 2_000;

async function hostFacts(ledger: Ledger, server: ServerName, notes: readonly Note[]): Promise<readonly Fact[]> {
  const running = notes.filter((note): note is Running => note.is === "running" && isAlive(note));
  if (running.length === 0) return [];
  const decided = await decisions(ledger, server);
  const facts: Fact[] = [];
  const released = launchStanding(await ledger.snapshot(server)) === "approved";
  for (const { pid, held, listed } of running) {
    const fact = (is: Fact["is"], code: string, text: string): Fact => ({ about: server, code, is, text });
    if (held && released) {
      facts.push(
        fact("todo", "RECONNECT", `the host of pid ${pid} was refused before its launch was approved; reconnect it`),
      );
      continue;
    }
    const late = listed.filter(({ source, seq }) => (decided.get(source) ?? 0) > seq).map(({ source }) => source);
    const text =
      late.length === 0
        ? `runs as pid ${pid}`
        : `the host of pid ${pid} has not asked for ${late.join(", ")} again since the last decision; reconnect it`;
    facts.push(fact(late.length === 0 ? "well" : "todo", late.length === 0 ? "RUNNING" : "RECONNECT", text));
  }
  return facts;
}

/** The last decision about what each source offers; one that a host may just be hearing of is left out. */
async function decisions(ledger: Ledger, server: ServerName): Promise<ReadonlyMap<string, number>> {
  const sourceOf = new Map<string, readonly string[]>([...lists].map(([source, { kind }]) => [kind, [source]]));
  sourceOf.set("instructions", ["initialize", "server/discover"]);
  const last = new Map<string, number>();
  for await (const { seq, at, event } of ledger.entries()) {
    if (isKeyEvent(event) || event.server !== server || event.is === "sighted" || Date.now() - at < asksAgain) continue;
    for (const kind of kinds) {
      // A bypass, or its end, is a decision about everything.
      if ("definitions" in event && !event.definitions.some((one) => one.kind === kind)) continue;
      for (const source of sourceOf.get(kind) ?? []) last.set(source, seq);
    }
  }
  return last;
}
