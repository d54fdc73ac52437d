import { visible } from "@countersign/core";
import { createTwoFilesPatch } from "diff";
import type { UnwrapReport, UnwrapRow } from "../commands/unwrap.ts";
import type { FileChange, HostNote, WrapReport, WrapRow } from "../commands/wrap.ts";
import { withoutSecrets } from "../launch/without-secrets.ts";
import { paint, shownName, type View } from "./view.ts";
import { counted } from "./within.ts";

export function sayWrap({ rows, files, problems, hosts, dryRun }: WrapReport, view: View): string {
  const lines = rows.map((row) => sayRow(row, view));
  if (rows.length === 0)
    lines.push("no server was found in the file of any host; countersign doctor says where it looks");
  lines.push(...problems.map(sayProblem));
  if (dryRun) lines.push(...diffs(files, view));
  else lines.push(...files.map(sayFile));
  const notReached = rows.filter(({ sat }) => sat !== undefined && sat !== "approved");
  if (!dryRun && notReached.some(({ is }) => is === "wrapped")) {
    lines.push(`what was not approved is withheld from the model: countersign review`);
  }
  if (!dryRun) lines.push(...hosts.map((host) => sayHost(host, "starts its servers through the gate")));
  return lines.join("\n");
}

export function sayUnwrap({ rows, files, problems, hosts, dryRun }: UnwrapReport, view: View): string {
  const lines = rows.map((row) => sayRow(row, view));
  if (rows.length === 0) lines.push("no server is guarded in the file of any host");
  lines.push(...problems.map(sayProblem));
  if (dryRun) lines.push(...diffs(files, view));
  else {
    lines.push(...files.map(sayFile));
    if (files.length > 0) lines.push("what was approved stays in the ledger, for when they are wrapped again");
    lines.push(...hosts.map((host) => sayHost(host, "starts its servers without the gate")));
  }
  return lines.join("\n");
}

/** When an approval given while a host runs reaches its model. */
export function sayApprovalAppears({ title, approvalAppears }: HostNote): string {
  switch (approvalAppears) {
    case "at-once":
      return `${title}: what is approved appears at once`;
    case "after-reconnect":
      return `${title}: what is approved appears once the server is connected again`;
    case "after-restart":
      return `${title}: what is approved appears once the host is started again`;
  }
}

function sayHost(host: HostNote, what: string): string {
  return `${host.title}: ${what} once it is started again`;
}

function sayRow(row: WrapRow | UnwrapRow, view: View): string {
  const name = shownName(row.name, view);
  const place = `${row.host} "${visible(row.path)}":${row.line}`;
  const as = row.server === row.name ? "" : ` (as ${row.server})`;
  const mark = row.is === "left" ? paint(view, "yellow", "left     ") : paint(view, "green", words[row.is].padEnd(9));
  return `${mark} ${name}${as} in ${place}${sayMore(row)}`;
}

const words = {
  wrapped: "wrapped",
  unwrapped: "unwrapped",
  "would-be-wrapped": "would be wrapped",
  "would-be-unwrapped": "would be unwrapped",
  already: "already",
} as const;

function sayMore(row: WrapRow | UnwrapRow): string {
  if (row.because !== undefined) return `: ${reasons[row.because]}`;
  if (row.is === "already") return ": guarded already";
  const pinned = "pinned" in row && row.pinned !== undefined ? `, pinned to ${visible(row.pinned)}` : "";
  if (!("sat" in row) || row.sat === undefined) return pinned;
  switch (row.sat) {
    case "approved":
      return `${pinned}, approved`;
    case "waits":
      return `${pinned}; not all of it is approved`;
    case "not-seen":
      return `${pinned}; it could not be looked at, so nothing of it is approved`;
    case "rejected":
      return `${pinned}; rejected`;
    case "declined":
    case "quit":
      return pinned;
  }
}

const reasons: Readonly<Record<NonNullable<WrapRow["because"] | UnwrapRow["because"]>, string>> = {
  REMOTE: "it is reached over a WebSocket, which is no transport of MCP's",
  BAD_URL: "its URL is one that is not reached: plain http beyond this machine, or with a user in it",
  SHELL: "only a shell could say what it starts",
  NO_COMMAND: "it has no command",
  NOT_AN_OBJECT: "it is no entry that the host could start",
  WRONG_TYPE: "a part of it is of the wrong type, so what it starts cannot be known",
  BROKEN_FILE: "its file is broken; mend that first",
  DISABLED: "it is turned off",
  MANAGED: "an administrator wrote it",
  PROJECT: "whoever can write to the project wrote it; name it with --only",
  PLUGIN: "whoever published the plugin wrote it; name it with --only",
  DECLINED: "you did not want it to be started",
  QUIT: "you left before the end, so nothing was rewritten",
  CANNOT_EDIT: "it is written in a way that cannot be changed by itself; see docs/wrap.md for how to do it by hand",
  NOT_AS_MEANT: "what would be written does not read as it should, so the file was left alone; do it by hand",
  CHANGED: "somebody changed it meanwhile; call this again",
  NOT_WRITABLE: "its file cannot be written to",
};

function sayFile({ path, backup }: FileChange): string {
  return `rewrote "${visible(path)}"; as it was: "${visible(backup ?? "")}"`;
}

function sayProblem({ path, code, line }: WrapReport["problems"][number]): string {
  const place = line === undefined ? "" : `:${line}`;
  return `not read   "${visible(path)}"${place}: ${code}`;
}

/** What looks like a secret is not shown; whoever watches is not always alone. */
function diffs(files: readonly FileChange[], view: View): readonly string[] {
  return files.flatMap(({ path, before, after }) => {
    const patch = createTwoFilesPatch(path, path, before, after, "", "", { context: 2 });
    return patch
      .split("\n")
      .filter((line) => !/^=+$/.test(line) && line !== "")
      .map((line) => {
        const text = visible(withoutSecrets(line.replace(/\r$/, "")));
        const shown =
          text.length > longest ? `${text.slice(0, longest)}… (${counted(text.length, "character")})` : text;
        return line.startsWith("+")
          ? paint(view, "green", shown)
          : line.startsWith("-")
            ? paint(view, "red", shown)
            : shown;
      });
  });
}

/** Code units of one line: a file may be one line. */
const longest = 600;
