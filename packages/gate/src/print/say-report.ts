import { kinds, visible } from "@countersign/core";
import type { ApproveReport } from "../commands/approve.ts";
import type { ExplainReport } from "../commands/explain.ts";
import type { LogReport, LogRow } from "../commands/log.ts";
import type { ReviewReport } from "../commands/review.ts";
import type { ScanReport } from "../commands/scan.ts";
import type { ServerStatus, StatusReport } from "../commands/status.ts";
import type { WithdrawReport } from "../commands/withdraw.ts";
import type { DefinitionRow, ReasonRow } from "./definition-row.ts";
import { sayContents, sayDefinition } from "./say-definition.ts";
import { sayFloating } from "./say-floating.ts";
import { paint, type View } from "./view.ts";

export function sayScan(report: ScanReport, view: View): string {
  if (report.notLookedAt !== undefined) return report.notLookedAt;
  const found = report.definitions.filter(({ reasons }) => reasons.length > 0);
  const lines = [`launch stdio: ${visible(report.launch.words)}`];
  for (const because of report.launch.floating) lines.push(`  ${sayFloating(because, view)}`);
  lines.push(...found.map((row) => saySeen(row, view)));
  for (const { source, code } of report.failures)
    lines.push(paint(view, "red", `${source}: the list could not be had whole: ${code}`));
  const clean = report.definitions.length - found.length;
  lines.push(
    `${report.server}: ${report.definitions.length} definitions, ${clean} without findings, ${found.length} with`,
  );
  return lines.join("\n");
}

/** A look approves nothing, so "withheld" would say nothing. */
function saySeen(row: DefinitionRow, view: View): string {
  const [head = "", ...rest] = sayDefinition(row, view, "--json shows them").split("\n");
  return [row.verdict === "quarantine" ? `${row.kind} ${paint(view, "bold", row.name)}` : head, ...rest].join("\n");
}

export function sayStatus(report: StatusReport, view: View, offerOnly: boolean): string {
  if (report.servers.length === 0)
    return "no server has been seen yet; run one with countersign run <name> -- <command...>";
  if (offerOnly) return report.servers.map(({ offer }) => offer).join("\n");
  return report.servers.map((server) => sayServer(server, view)).join("\n\n");
}

function sayServer({ server, bound, waiting, definitions, gone, offer }: ServerStatus, view: View): string {
  const lines = [`${paint(view, "bold", server)}: ${bound} bound, ${waiting} waiting`];
  const withheld = definitions.filter(({ verdict, reasons }) => verdict !== "bind" && !reasons.every(isHeldByLaunch));
  const held = definitions.filter(({ verdict, reasons }) => verdict !== "bind" && reasons.every(isHeldByLaunch)).length;
  if (held > 0) {
    const what = held === 1 ? "1 definition that is approved waits" : `${held} definitions that are approved wait`;
    lines.push(
      `  ${paint(view, "yellow", "held")}  ${what} for the launch: the server is not reached as it was approved to be`,
    );
  }
  const unseen = withheld.filter(isMerelyNew);
  if (unseen.length > 0)
    lines.push(`  ${paint(view, "yellow", "withheld")}  nobody has approved, and no rule speaks against:`);
  for (const kind of kinds) {
    const names = unseen.filter((row) => row.kind === kind).map(({ name }) => name);
    if (names.length > 0) lines.push(...fold(`    ${kind} `, names, view.width));
  }
  const howToSee = `countersign review ${server} shows them page by page`;
  const narrower = { ...view, width: view.width - 4 };
  for (const row of unseen)
    if (row.whole !== undefined) lines.push(indent(indent(sayContents(row, narrower, howToSee))));
  for (const { kind, name, floating = [] } of definitions) {
    for (const because of floating) lines.push(`  ${kind} ${name} ${sayFloating(because, view)}`);
  }
  for (const row of withheld)
    if (!isMerelyNew(row)) lines.push(indent(sayDefinition(row, { ...view, width: view.width - 2 }, howToSee)));
  for (const { kind, name } of gone) lines.push(`  approved, but no longer offered: ${kind} ${name}`);
  if (waiting > 0) lines.push(`  offer ${offer}`);
  return lines.join("\n");
}

function isMerelyNew({ reasons }: DefinitionRow): boolean {
  return reasons.every((reason) => reason.code === "NO_BASELINE" || isHeldByLaunch(reason));
}

/** A reason that is said once for the server, about its launch. */
function isHeldByLaunch(reason: ReasonRow): boolean {
  return reason.code === "LAUNCH_CHANGED" && "drift" in reason && reason.drift.length === 0;
}

/** Names one after the other, on as many lines as they take. */
function fold(lead: string, names: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = lead;
  for (const [index, name] of names.entries()) {
    const next = index === names.length - 1 ? name : `${name}, `;
    if (line.length > lead.length && line.length + next.length > width) {
      lines.push(line.trimEnd());
      line = " ".repeat(lead.length);
    }
    line += next;
  }
  return [...lines, line];
}

export function sayApproval({ server, approved, leftOut, seq, reconnect }: ApproveReport): string {
  const rest = leftOut === 0 ? "nothing of it waits any more" : `${leftOut} still ${leftOut === 1 ? "waits" : "wait"}`;
  return `approved ${approved.length} ${approved.length === 1 ? "definition" : "definitions"} of ${server} (entry ${seq} of the ledger); ${rest}${reconnect ? "; reconnect the host" : ""}`;
}

export function sayWithdrawal({ server, withdrawn }: WithdrawReport, done: "rejected" | "revoked"): string {
  return `${done} ${withdrawn.length} ${withdrawn.length === 1 ? "definition" : "definitions"} of ${server}`;
}

export function sayReview({ approved, rejected, left }: ReviewReport): string {
  return `${approved} approved, ${rejected} rejected, ${left} left waiting`;
}

export function sayLog(report: LogReport): string {
  if (report.is === "entries") return report.entries.map(sayEntry).join("\n");
  if (report.problems.length === 0)
    return `sound: ${report.entries} entries, ${report.texts} texts, head ${report.head ?? "(empty)"}`;
  return [
    `not sound: ${report.problems.length} of ${report.entries} entries and ${report.texts} texts`,
    ...report.problems.map((one) => `  ${visible(JSON.stringify(one))}`),
  ].join("\n");
}

function sayEntry({ seq, at, server, event, source, by, reason, definitions, malformed, unseen }: LogRow): string {
  const what = source === undefined ? `by ${visible(by ?? "")}` : source;
  const faulty = malformed === undefined || malformed === 0 ? "" : `, ${malformed} malformed`;
  const why = reason === undefined ? "" : ` (${visible(reason)})`;
  const blind = unseen === true ? ", unseen" : "";
  return `${seq}  ${at}  ${server}  ${event} ${definitions.length} ${what}${blind}${faulty}${why}`;
}

export function sayExplanation({ rule, gate, effect, confidence, taxa, page }: ExplainReport): string {
  return `${page.trim()}\n\n${rule}: ${gate} gate, ${effect}, confidence ${confidence}; ${taxa.join(", ")}`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
