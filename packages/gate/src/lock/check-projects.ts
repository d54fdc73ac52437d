import { homedir } from "node:os";
import { isAbsolute, relative, resolve } from "node:path";
import { type Json, type LockedServer, memberOf, readJson } from "@countersign/core";
import { urlProblem } from "../gateway/url-problem.ts";
import type { Reach } from "../hosts/entry.ts";
import { launchOf } from "../launch/launch-of.ts";
import { lookUp } from "../launch/look-up.ts";
import { remoteLaunchOf } from "../launch/remote-launch-of.ts";
import { secret } from "../launch/without-secrets.ts";
import { environmentOf, portableLaunch } from "./portable-launch.ts";
import { type ProjectEntry, projectEntries } from "./project-entries.ts";

/**
 * A server that a host's config in the project names, against the lockfile. `NOT_LOCKED`: the lockfile approves nothing of it.
 * `NO_LAUNCH`: nor how it is reached. `LAUNCH_CHANGED`: it would not be reached as it was approved to be. `REMOTE`, `OPAQUE`: a
 * lockfile cannot hold it. `UNREADABLE`: the file itself.
 */
export interface ProjectRow {
  readonly file: string;
  readonly line?: number;
  /** As the file has it: anybody may have written it. */
  readonly name?: string;
  readonly server?: string;
  readonly is: "same" | "NOT_LOCKED" | "NO_LAUNCH" | "LAUNCH_CHANGED" | "REMOTE" | "OPAQUE" | "UNREADABLE";
}

/** Whether what a project's hosts would start is what the lockfile approves. Nothing is started. */
export async function checkProjects(
  folder: string,
  servers: readonly LockedServer[],
  only: ReadonlySet<string> | undefined,
): Promise<readonly ProjectRow[]> {
  const { entries, unreadable } = await projectEntries(folder);
  const rows: ProjectRow[] = unreadable.map((file) => ({ file, is: "UNREADABLE" }));
  for (const entry of entries) {
    const { file, line, name, server } = entry;
    if (only !== undefined && !only.has(server)) continue;
    const locked = servers.find((one) => one.server === server);
    rows.push({ file, line, name, server, is: isOf(entry, locked, folder) });
  }
  return rows;
}

function isOf({ reach }: ProjectEntry, locked: LockedServer | undefined, folder: string): ProjectRow["is"] {
  if (reach.is === "remote" && (reach.transport === "ws" || urlProblem(reach.url) !== undefined)) return "REMOTE";
  if (reach.is === "opaque") return "OPAQUE";
  if (reach.is === "remote") return isOfRemote(reach, locked);
  // What a file of variables sets is not seen here.
  if (reach.envFile !== undefined) return "OPAQUE";
  if (locked === undefined) return "NOT_LOCKED";
  const launch = lockedLaunch(locked);
  if (launch === undefined) return "NO_LAUNCH";
  const placed = (word: string) =>
    word.replaceAll("$" + "{workspaceFolder}", () => folder).replaceAll("$" + "{userHome}", () => homedir());
  if (reach.cwd !== undefined && resolve(folder, placed(reach.cwd)) !== folder) return "LAUNCH_CHANGED";
  const command = placed(reach.command);
  const env = Object.fromEntries([...reach.env].map(([key, value]) => [key, placed(value)]));
  const facts = { command, args: reach.args.map(placed), cwd: folder, env: { ...env, PATH: process.env["PATH"] } };
  const reading = readJson(launchOf({ ...facts, home: homedir(), platform: process.platform, lookUp }));
  if (reading.is === "refused") return "LAUNCH_CHANGED";
  const same =
    isSameProgram(command, portableLaunch(reading.json, new Set()), launch, folder) &&
    sameWords(memberOf(reading.json, "args"), memberOf(launch, "args")) &&
    steersAlike(reading.json, launch);
  return same ? "same" : "LAUNCH_CHANGED";
}

/** The transport is how a client gets there, and no host says it in the same words. */
function isOfRemote(
  { url, headers }: Extract<Reach, { is: "remote" }>,
  locked: LockedServer | undefined,
): ProjectRow["is"] {
  if (locked === undefined) return "NOT_LOCKED";
  const launch = lockedLaunch(locked);
  if (launch === undefined) return "NO_LAUNCH";
  const reading = readJson(remoteLaunchOf({ url, headers, transport: "auto" }));
  if (reading.is === "refused") return "LAUNCH_CHANGED";
  const text = (json: Json | undefined) => (json?.is === "string" ? json.value : undefined);
  const [now, then] = [memberOf(reading.json, "headers"), memberOf(launch, "headers")];
  const sameUrl = text(memberOf(reading.json, "url")) === text(memberOf(launch, "url"));
  if (!sameUrl || now?.is !== "object" || then?.is !== "object") return "LAUNCH_CHANGED";
  const same =
    now.members.length === then.members.length &&
    now.members.every(({ key, value }) => isSameValue(text(value) ?? "", text(memberOf(then, key))));
  return same ? "same" : "LAUNCH_CHANGED";
}

/** What is a secret in the one may be a variable in the other. */
function isSameValue(now: string, then: string | undefined): boolean {
  if (then === undefined) return false;
  const hidden = (text: string) => text === secret || isVariable(text);
  return now === then || (hidden(now) && hidden(then));
}

/** How a server is reached. A lockfile holds one way: a command, or a URL. */
export function lockedLaunch({ definitions }: LockedServer): Json | undefined {
  return definitions.find(({ address }) => address.kind === "launch")?.json;
}

/** A path that leads out of the project is nobody's but one machine's: there is nothing to compare it with. */
function isSameProgram(command: string, now: Json, locked: Json, folder: string): boolean {
  const text = (json: Json | undefined) => (json?.is === "string" ? json.value : undefined);
  if (text(memberOf(now, "command")) !== text(memberOf(locked, "command"))) return false;
  if (!/[/\\]/.test(command)) return true;
  const way = relative(folder, resolve(folder, command));
  if (way.startsWith("..") || isAbsolute(way)) return false;
  return text(memberOf(now, "executable")) === text(memberOf(locked, "executable"));
}

/** What is a secret in the one may be a variable in the other. */
function sameWords(now: Json | undefined, locked: Json | undefined): boolean {
  if (now?.is !== "array" || locked?.is !== "array" || now.items.length !== locked.items.length) return false;
  return now.items.every((word, index) => {
    const other = locked.items[index];
    if (word.is !== "string" || other?.is !== "string") return false;
    return word.value === other.value || (isVariable(word.value) && other.value === secret);
  });
}

function isVariable(word: string): boolean {
  return /^\$\{(?:(?:env|input):)?[A-Za-z0-9_-]+\}$/.test(word);
}

/** Every variable that an entry sets, and that steers what runs, has to be locked with that value. */
function steersAlike(now: Json, locked: Json): boolean {
  const approved = environmentOf(locked);
  return [...environmentOf(now)].every(([name, value]) => approved.get(name) === value);
}
