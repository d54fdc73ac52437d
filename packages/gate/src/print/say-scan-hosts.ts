import { visible } from "@countersign/core";
import { isFound } from "../commands/scan.ts";
import type { Asked, HostServerRow, LookRow, Outcome, ScanHostsReport } from "../commands/scan-hosts.ts";
import type { Oddity } from "../hosts/entry.ts";
import type { HostFileProblem, HostFileProblemCode } from "../hosts/problem.ts";
import type { Impossible } from "../hosts/start-of.ts";
import type { WhyLeft } from "../hosts/why-left.ts";
import type { DefinitionRow, ReasonRow } from "./definition-row.ts";
import { sayFloating } from "./say-floating.ts";
import { sayIgnored } from "./say-ignored.ts";
import { shownWords } from "./shown-reach.ts";
import { paint, type View } from "./view.ts";
import { counted } from "./within.ts";

/** One table of all servers, then one line for each thing that was found. */
export function sayScanHosts(report: ScanHostsReport, view: View, verbose: boolean): string {
  const { servers, looks, problems, searched, ignored } = report;
  const lines: string[] = [];
  if (verbose) {
    for (const { host, path, there } of searched)
      lines.push(`${there ? "found   " : "nothing "} ${host}  ${visible(path)}`);
    lines.push("");
  }
  lines.push(...ignored.map(sayIgnored));
  if (servers.length > 0) lines.push(...table([heading, ...servers.map((row) => cellsOf(row, looks, view, verbose))]));
  const more = [
    ...problems.map((problem) => sayProblem(problem, view)),
    ...servers.flatMap((row) => sayOddities(row, view)),
    ...looks.flatMap((look) => sayLook(look, view, verbose)),
  ];
  if (more.length > 0) lines.push("", ...more);
  lines.push("", ...summary(report, verbose));
  return lines.join("\n").trimStart();
}

/** All of what would be started, with nothing left out and no secret hidden: that is what the person says yes to. */
export function sayAsked({ entry, because, reach }: Asked): string {
  const { host, name, file, line } = entry;
  const about = `${host}: "${visible(name)}" in ${visible(file.path)}:${line} (${lefts[because]})`;
  if (reach.is === "remote") {
    const headers = [...reach.headers].map(([key, value]) => `  with ${visible(key)}: ${visible(value)}`);
    return [`${about} would be asked at:`, `  ${visible(reach.url)}`, ...headers].join("\n");
  }
  return [
    `${about} would start:`,
    `  ${shownWords([reach.command, ...reach.args])}`,
    ...[...reach.env].map(([key, value]) => `  with ${visible(key)}=${visible(value)}`),
    ...(reach.envFile === undefined ? [] : [`  with the variables in ${visible(reach.envFile)}`]),
    ...(reach.cwd === undefined ? [] : [`  in ${visible(reach.cwd)}`]),
  ].join("\n");
}

const heading = ["host", "server", "scope", "reached by", "found"];

function cellsOf(row: HostServerRow, looks: readonly LookRow[], view: View, verbose: boolean): readonly string[] {
  const name = row.name === row.server ? row.server : `${row.server} (${row.name})`;
  return [
    ...[row.host, name, row.scope],
    `${row.guarded ? "guarded " : ""}${verbose ? row.reached : cutTo(48, row.reached)}`,
    sayOutcome(row, looks, view),
  ];
}

function sayOutcome({ outcome, id }: HostServerRow, looks: readonly LookRow[], view: View): string {
  switch (outcome.is) {
    case "left":
      return `${paint(view, "yellow", "not looked at")}: ${lefts[outcome.because]}${startable.has(outcome.because) ? `; to look: --spawn ${id}` : ""}`;
    case "impossible":
      return `${paint(view, "yellow", "not looked at")}: ${sayImpossible(outcome)}`;
    case "looked-at": {
      const look = looks[outcome.look];
      return look === undefined ? "" : sayCounts(look, view);
    }
  }
}

function sayCounts({ failure, failures, definitions }: LookRow, view: View): string {
  if (failure?.code === "NEEDS_SIGN_IN") return paint(view, "yellow", "needs sign-in");
  if (failure !== undefined) return paint(view, "red", "not looked at");
  const found = definitions.filter(isFound).length;
  const what = `${counted(definitions.length, "definition")}, ${found === 0 ? "nothing found" : `${found} with findings`}`;
  return failures.length === 0 ? what : `${what}; not all could be had`;
}

const lefts: Readonly<Record<WhyLeft | "NO_SPAWN", string>> = {
  DISABLED: "disabled, its host does not start it",
  REMOTE: "it is reached over a WebSocket, which is no transport of MCP's",
  NOT_UNDERSTOOD: "there is nothing in it that could be started",
  PROJECT: "a project's file says so, which anybody who can commit to it may have written",
  PLUGIN: "a plugin says so",
  SHELL: "a shell decides what it runs",
  AMBIGUOUS: "its file is broken, or says it twice",
  NO_SPAWN: "--no-spawn",
};

const startable: ReadonlySet<WhyLeft | "NO_SPAWN"> = new Set(["DISABLED", "PROJECT", "PLUGIN", "SHELL", "AMBIGUOUS"]);

function sayImpossible({ because, what: shown }: Extract<Outcome, { is: "impossible" }>): string {
  const sentences: Readonly<Record<Impossible, string>> = {
    UNKNOWN_VARIABLE: `${shown} has no value here`,
    NO_FOLDER: `there is no folder ${shown} to start it in`,
    NO_ENV_FILE: `its file of variables ${shown} cannot be read`,
    NUL: "there is a NUL in its command line, or a variable without a name",
    BAD_URL: `its URL is one that is not reached: ${shown}`,
    BAD_HEADER: `its header ${shown} is none that can be sent`,
  };
  return sentences[because];
}

function sayProblem({ host, path, code, line, column, detail }: HostFileProblem, view: View): string {
  const place = line === undefined ? "" : `:${line}${column === undefined ? "" : `:${column}`}`;
  const why = detail === undefined ? "" : ` (${detail})`;
  return `${paint(view, "red", "unread")}  ${host}  ${visible(path)}${place}: ${unreads[code]}${why}`;
}

const unreads: Readonly<Record<HostFileProblemCode, string>> = {
  SYNTAX: "it is broken here",
  WRONG_TYPE: "what should hold servers does not",
  DUPLICATE_KEY: "this stands here twice, and only the last counts",
  TOO_LARGE: "it is larger than any host's file",
  TOO_DEEP: "it is nested too deeply",
  NOT_UTF8: "it is no UTF-8",
  UNREADABLE: "it cannot be read",
  DANGLING_LINK: "it is a link that leads nowhere",
  NOT_A_FILE: "it is no file",
  SHELL: "it is a script, which would have to be run to know its servers",
  TOO_MANY_FILES: "there is more below it than is looked at",
};

function sayOddities({ host, path, line, oddities }: HostServerRow, view: View): readonly string[] {
  // A broken file is said once, where it is broken.
  const said = oddities.filter(({ code }) => code !== "BROKEN_FILE");
  return said.map(
    (oddity) => `${paint(view, "yellow", "odd   ")}  ${host}  ${visible(path)}:${line}: ${sayOddity(oddity, host)}`,
  );
}

function sayOddity(oddity: Oddity, host: string): string {
  switch (oddity.code) {
    case "COMMAND_AND_URL":
      return "it has both a command and a url";
    case "COMMAND_LINE":
      return "its command holds arguments, which some hosts take for a part of the program's name";
    case "DUPLICATE_KEY":
      return `${oddity.key} stands in it twice, and only the last counts`;
    case "UNKNOWN_VARIABLE":
      return `${host} does not replace ${oddity.text}`;
    case "BROKEN_FILE":
      return "its file is broken";
  }
}

function sayLook(look: LookRow, view: View, verbose: boolean): readonly string[] {
  const { server, failure, failures, floating, definitions } = look;
  const failed = paint(view, "red", "failed");
  if (failure !== undefined) return [`${failed}  ${server}: ${failure.said}`];
  const findings = definitions.flatMap((row) => row.reasons.map((reason) => ({ row, reason })));
  const shown = effects.flatMap((effect) => findings.filter(({ reason }) => effectOf(reason) === effect));
  return [
    ...floating.map((because) => `${paint(view, "yellow", "float ")}  ${server}: ${sayFloating(because, view)}`),
    ...failures.map(({ source, code }) => `${failed}  ${server}: ${source} could not be had whole: ${code}`),
    ...shown
      .filter(({ reason }) => verbose || effectOf(reason) !== "note")
      .flatMap(({ row, reason }) => sayFinding(server, row, reason, view)),
  ];
}

const effects = ["refuse", "ask", "note"] as const;

function effectOf(reason: ReasonRow): (typeof effects)[number] {
  return "effect" in reason ? reason.effect : "refuse";
}

function sayFinding(server: string, { kind, name }: DefinitionRow, reason: ReasonRow, view: View): readonly string[] {
  const about = `${server} ${kind} ${name}: `;
  if ("rule" in reason) {
    const mark = paint(view, reason.effect === "refuse" ? "red" : "yellow", reason.effect.padEnd(6));
    const where = `${reason.part === "key" ? "the name at " : ""}${reason.at === "" ? "the whole" : reason.at}`;
    const data = reason.data === undefined ? "" : `: ${reason.data.map((pair) => pair.join(" ")).join(", ")}`;
    return [`${mark}  ${about}${reason.rule} at ${where}${data}`];
  }
  if ("faults" in reason) {
    return reason.faults.map(
      ({ code, at }) => `${paint(view, "red", "refuse")}  ${about}${code}${at === "" ? "" : ` at ${at}`}`,
    );
  }
  return [`${paint(view, "red", "refuse")}  ${about}${reason.code}`];
}

function isNote(reason: ReasonRow): boolean {
  return effectOf(reason) === "note";
}

function summary(
  { servers, looks, problems, searched, leftOut }: ScanHostsReport,
  verbose: boolean,
): readonly string[] {
  const files = searched.filter(({ there }) => there).length;
  const hosts = new Set(servers.map(({ host }) => host)).size;
  const looked = looks.filter(({ failure }) => failure === undefined).length;
  const left = servers.filter(({ outcome }) => outcome.is !== "looked-at").length;
  const lines = [
    `${countedEntries(servers.length)} of ${counted(hosts, "host")} in ${counted(files, "file")}: ${counted(looked, "server")} looked at, ${looks.length - looked} failed, ${countedEntries(left)} not looked at${problems.length === 0 ? "" : `, ${counted(problems.length, "place")} unread`}`,
  ];
  const notes = looks.flatMap(({ definitions }) => definitions.flatMap(({ reasons }) => reasons.filter(isNote)));
  if (notes.length > 0 && !verbose)
    lines.push(`${counted(notes.length, "note")} that speak against nothing, shown with --verbose`);
  if (leftOut > 0) lines.push(`--only left out ${countedEntries(leftOut)}`);
  return lines;
}

function countedEntries(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "entry" : "entries"}`;
}

function cutTo(length: number, text: string): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = heading.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
