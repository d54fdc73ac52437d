import { createHash } from "node:crypto";
import type { CheckReport, ServerCheck } from "../commands/check.ts";
import type { ProjectRow } from "../lock/check-projects.ts";
import type { CheckedDefinition } from "../lock/check-server.ts";
import type { Claim } from "../lock/claim.ts";
import { type SarifResult, type SarifRun, sarifOf } from "./sarif.ts";
import type { ProjectRule } from "./sarif-rules.ts";
import { projectReasons, sayTrouble } from "./say-check.ts";
import { sentenceOf } from "./say-claim.ts";
import { shownName, type View } from "./view.ts";

/** A check as SARIF 2.1.0. Lines are those of the lockfile, where reviewers of a change can see them. */
export function sarifOfCheck(report: CheckReport, view: View): Promise<object> {
  const { lockfile, servers, projects, unlocked, exitCode } = report;
  const results = [
    ...servers.flatMap((server) =>
      server.definitions.flatMap((one) => one.claims.map((claim) => resultOf(claim, one, server, lockfile))),
    ),
    ...projects.flatMap((row) => ofProject(row, view)),
    ...unlocked.map((name) => notLocked(name, lockfile, 1, name)),
  ];
  const incomplete = [
    ...servers.flatMap((server) => ofServer(server, lockfile)),
    ...projects.flatMap((row) => ofUnseen(row, view)),
  ];
  if (servers.length === 0)
    incomplete.push({ code: "NOTHING", message: "The lockfile approves nothing.", file: lockfile });
  return sarifOf({ verb: "check", results, incomplete, exitCode });
}

function resultOf(claim: Claim, { row }: CheckedDefinition, { server }: ServerCheck, file: string): SarifResult {
  const { rule, effect, is, acknowledged, fingerprint, lines, path } = claim;
  return {
    ...{ rule, effect, is, acknowledged, fingerprint, file },
    message: `${row.kind} ${row.name} of ${server}: ${sentenceOf(claim)}`,
    ...(lines === undefined ? {} : { lines }),
    logical: { name: row.name, qualified: qualified(server, row.kind, row.name, path) },
  };
}

export function qualified(server: string, kind: string, name: string, path: string): string {
  return `${server}/${kind === "tool" ? "" : `${kind}:`}${name}/${path}`;
}

function ofProject({ file, line = 1, name = "", is }: ProjectRow, view: View): readonly SarifResult[] {
  switch (is) {
    case "same":
    case "REMOTE":
    case "OPAQUE":
    case "UNREADABLE":
      return [];
    case "NOT_LOCKED":
      return [notLocked(shownName(name, view), file, line, name)];
    case "NO_LAUNCH":
    case "LAUNCH_CHANGED":
      return [projectResult("launch-changed", `${shownName(name, view)}: ${projectReasons[is]}.`, file, line, name)];
  }
}

function notLocked(shown: string, file: string, line: number, name: string): SarifResult {
  return projectResult("not-locked", `${shown}: the lockfile approves nothing of this server.`, file, line, name);
}

function projectResult(rule: ProjectRule, message: string, file: string, line: number, name: string): SarifResult {
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([rule, file, name]))
    .digest("hex");
  return {
    ...{ rule, message, file, fingerprint, lines: { first: line, last: line } },
    ...{ effect: "refuse", is: rule === "not-locked" ? "new" : "updated", acknowledged: false },
  };
}

function ofServer(
  { server, failures, notLookedAt, definitions, line }: ServerCheck,
  file: string,
): SarifRun["incomplete"] {
  const unseen = definitions.filter(({ state }) => state === "unknown").length;
  return [
    ...(notLookedAt === undefined
      ? []
      : [
          {
            code: notLookedAt.split(" ")[0] ?? "",
            message: `${server} was not looked at: ${sayTrouble(notLookedAt)}.`,
            file,
            line,
          },
        ]),
    ...failures.map(({ source, code }) => ({
      code,
      message: `${source} of ${server} could not be had whole.`,
      file,
      line,
    })),
    ...(unseen === 0
      ? []
      : [
          {
            code: "NOT_SEEN",
            message: `${unseen} locked definitions of ${server} could not be looked for.`,
            file,
            line,
          },
        ]),
  ];
}

function ofUnseen({ file, line, name, is }: ProjectRow, view: View): SarifRun["incomplete"] {
  switch (is) {
    case "same":
    case "NOT_LOCKED":
    case "NO_LAUNCH":
    case "LAUNCH_CHANGED":
      return [];
    case "REMOTE":
    case "OPAQUE":
    case "UNREADABLE": {
      const what = name === undefined ? file : shownName(name, view);
      return [{ code: is, message: `${what}: ${projectReasons[is]}.`, file, ...(line === undefined ? {} : { line }) }];
    }
  }
}
