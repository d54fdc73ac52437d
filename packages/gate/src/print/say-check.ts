import { visible } from "@countersign/core";
import type { CheckReport, ServerCheck, StartRow } from "../commands/check.ts";
import type { ProjectRow } from "../lock/check-projects.ts";
import type { CheckedDefinition, CheckState } from "../lock/check-server.ts";
import { sayDefinition } from "./say-definition.ts";
import { sayIgnored } from "./say-ignored.ts";
import { type Format, paint, shownName, type View } from "./view.ts";
import { counted } from "./within.ts";

export function sayCheck(report: CheckReport, view: View): string {
  const { lockfile, servers, projects, unlocked, ignored, looked } = report;
  const lines = [
    ...ignored.map(sayIgnored),
    ...servers.flatMap((one) => sayServer(one, report, view)),
    ...unlocked.map(
      (name) => `${shownName(name, view)}: ${paint(view, "red", "not locked")}, the lockfile approves nothing of it`,
    ),
    ...projects.flatMap((row) => sayProject(row, view)),
  ];
  if (servers.length === 0) lines.push(`"${visible(lockfile)}" approves nothing, so nothing was checked`);
  lines.push(sayVerdict(report, looked));
  return lines.join("\n");
}

function sayServer(server: ServerCheck, { looked, lockfile }: CheckReport, view: View): readonly string[] {
  const { definitions, failures, notLookedAt, locked, lastWords, otherRules } = server;
  const name = paint(view, "bold", server.server);
  if (looked === "nothing") return [`${name}: ${counted(locked, "definition")} locked`];
  const lines: string[] = [];
  const parts = states.flatMap((state) => {
    const count = definitions.filter((one) => one.state === state).length;
    return count === 0 ? [] : [`${count} ${words[state]}`];
  });
  lines.push(`${name}: ${parts.length === 0 ? "nothing was seen" : parts.join(", ")}`);
  if (notLookedAt !== undefined) {
    lines.push(`  ${paint(view, "red", "not looked at")}  ${sayTrouble(notLookedAt)}`);
    if (lastWords !== undefined) lines.push(`    its last line on stderr: ${lastWords}`);
  }
  for (const { source, code } of failures) {
    lines.push(`  ${paint(view, "red", "incomplete")}  ${source}: the list could not be had whole: ${code}`);
  }
  if (otherRules) lines.push("  the rules have changed since it was locked");
  for (const one of definitions) lines.push(...sayChecked(one, lockfile, view));
  return lines;
}

function sayChecked({ state, row, claims }: CheckedDefinition, lockfile: string, view: View): readonly string[] {
  const [first] = claims;
  const where = first?.lines === undefined ? "" : `  ${visible(lockfile)}:${first.lines.first}`;
  const head = `  ${paint(view, formats[state], words[state])}  ${row.kind} ${row.name}${where}`;
  if (state === "missing" || state === "unknown") return [head];
  // What was acknowledged has been decided on, and what is only noted needs no decision.
  if (state === "bound" && claims.every(({ acknowledged, effect }) => acknowledged || effect === "note")) return [];
  const narrower = { ...view, width: view.width - 4 };
  const said = sayDefinition(row, narrower, "--json shows them");
  return [
    head,
    ...said
      .split("\n")
      .slice(1)
      .map((line) => `  ${line}`),
  ];
}

const states: readonly CheckState[] = [
  ...(["bound", "drifted", "new", "missing", "expired", "refused", "malformed", "unknown"] as const),
];

const words: Readonly<Record<CheckState, string>> = {
  bound: "bound",
  drifted: "drifted",
  new: "not approved",
  missing: "no longer offered",
  expired: "expired",
  refused: "refused",
  malformed: "malformed",
  unknown: "not seen",
};

const formats: Readonly<Record<CheckState, Format>> = {
  bound: "green",
  drifted: "red",
  new: "red",
  missing: "red",
  expired: "red",
  refused: "red",
  malformed: "red",
  unknown: "yellow",
};

/** A code, and the system's word for it where there is one. */
export function sayTrouble(code: string): string {
  const [is = "", detail = ""] = code.split(" ");
  switch (is) {
    case "NO_LAUNCH":
      return "NO_LAUNCH, the lockfile does not say how it is started; run it with countersign, review it, and lock it again, or name the command: --server <name> -- <command...>";
    case "SECRET":
      return "SECRET, its command line holds a secret that the lockfile does not; name the command: --server <name> -- <command...>";
    case "NO_COMMAND":
      return "NO_COMMAND, its launch names nothing to start";
    case "NOT_STARTED":
      return `NOT_STARTED, its command could not be started (${detail})`;
    case "EXITED":
      return `EXITED, it ended with code ${detail} before it had answered`;
    case "KILLED":
      return `KILLED, it was ended by ${detail} before it had answered`;
    case "NO_ANSWER":
      return "NO_ANSWER, it did not answer in time";
    case "NO_HANDSHAKE":
      return "NO_HANDSHAKE, it answered neither initialize nor server/discover";
    case "NOT_CAPTURED":
      return "NOT_CAPTURED, the folder holds no capture of it";
    default:
      return code;
  }
}

function sayProject({ file, line, name, is }: ProjectRow, view: View): readonly string[] {
  if (is === "same") return [];
  const what = name === undefined ? "" : ` ${shownName(name, view)}:`;
  return [
    `${visible(file)}${line === undefined ? "" : `:${line}`}:${what} ${paint(view, "red", is)}, ${projectReasons[is]}`,
  ];
}

/** Without `same`: there is nothing to say of that. */
export const projectReasons: Readonly<Record<Exclude<ProjectRow["is"], "same">, string>> = {
  NOT_LOCKED: "the lockfile approves nothing of this server",
  NO_LAUNCH: "the lockfile does not say how this server is reached",
  LAUNCH_CHANGED: "this server would not be reached as it was approved to be",
  REMOTE: "it is reached in a way that the gate does not go, so it was not checked",
  OPAQUE: "its command cannot be read, so it was not checked",
  UNREADABLE: "the file cannot be read, so nothing in it was checked",
};

function sayVerdict({ exitCode, lockfile }: CheckReport, looked: CheckReport["looked"]): string {
  const file = `"${visible(lockfile)}"`;
  switch (exitCode) {
    case 0:
      return looked === "nothing"
        ? `${file} is sound, and the project's hosts start what it approves; no server was looked at`
        : `all that is offered is what ${file} approves`;
    case 1:
      return `what is offered is what ${file} approves, and rules speak against a part of it that nobody has acknowledged`;
    case 2:
      return `not all of this is what ${file} approves: run the server, look at it with countersign review, then countersign lock, and commit the lockfile`;
    default:
      return "incomplete: not everything could be looked at";
  }
}

/** What would be started, exactly, for whoever is asked. */
export function sayStarts(starts: readonly StartRow[]): string {
  return [
    "the lockfile names these, and whoever wrote it chose them:",
    ...starts.map(({ server, target }) => {
      const words = target.is === "http" ? [target.url] : [target.command.command, ...target.command.args];
      return `  ${server}: ${words.map(wordOf).join(" ")}`;
    }),
  ].join("\n");
}

function wordOf(word: string): string {
  return /^[^\s"'\\]+$/.test(word) ? visible(word) : visible(JSON.stringify(word));
}
