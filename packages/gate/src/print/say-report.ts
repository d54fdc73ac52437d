import { kinds, visible } from "@countersign/core";
import type { ApproveReport } from "../commands/approve.ts";
import type { BypassReport } from "../commands/bypass.ts";
import type { LogReport, LogRow } from "../commands/log.ts";
import type { ReviewReport } from "../commands/review.ts";
import type { ScanReport } from "../commands/scan.ts";
import type { ServerStatus, StatusReport } from "../commands/status.ts";
import type { WithdrawReport } from "../commands/withdraw.ts";
import type { VerifiedRow } from "../running/last-verified.ts";
import type { DefinitionRow, ReasonRow } from "./definition-row.ts";
import { sayContents, sayDefinition } from "./say-definition.ts";
import { sayFloating } from "./say-floating.ts";
import { sayIgnored } from "./say-ignored.ts";
import { sayPrincipals } from "./say-principals.ts";
import { paint, type View } from "./view.ts";

export function sayScan(report: ScanReport, view: View): string {
  if (report.notLookedAt !== undefined) return report.notLookedAt;
  const found = report.definitions.filter(({ reasons }) => reasons.length > 0);
  const lines = [...report.ignored.map(sayIgnored), `launch stdio: ${visible(report.launch.words)}`];
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
  if (offerOnly && report.servers.length > 0) return report.servers.map(({ offer }) => offer).join("\n");
  const servers = report.servers.map((server) => sayServer(server, view));
  if (servers.length === 0)
    servers.push("no server has been seen yet; run one with countersign run <name> -- <command...>");
  return [...servers, ...report.ignored.map(sayIgnored)].join("\n\n");
}

function sayServer(status: ServerStatus, view: View): string {
  const { server, bound, waiting, definitions, gone, offer, rereview } = status;
  const lines = [`${paint(view, "bold", server)}: ${bound} bound, ${waiting} waiting`];
  const shout = shouted(status);
  if (shout !== undefined) lines.push(`  ${paint(view, ["red", "bold"], shout)}`);
  const withheld = definitions.filter(({ verdict, reasons }) => verdict !== "bind" && !reasons.every(isHeldByLaunch));
  const held = definitions.filter(({ verdict, reasons }) => verdict !== "bind" && reasons.every(isHeldByLaunch)).length;
  if (held > 0) {
    const what = held === 1 ? "1 definition that is approved waits" : `${held} definitions that are approved wait`;
    lines.push(
      `  ${paint(view, "yellow", "held")}  ${what} for the launch: the server is not reached as it was approved to be`,
    );
  }
  const unseen = withheld.filter(isMerelyNew);
  if (unseen.length > 0) {
    const mark = unseen.every(({ passes }) => passes)
      ? paint(view, ["red", "bold"], "passes")
      : paint(view, "yellow", "withheld");
    lines.push(`  ${mark}  nobody has approved, and no rule speaks against:`);
  }
  for (const kind of kinds) {
    const names = unseen.filter((row) => row.kind === kind).map(nameFor);
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
  if (rereview.length > 0) {
    const what = rereview.length === 1 ? "1 approved definition waits" : `${rereview.length} approved definitions wait`;
    lines.push(`  ${paint(view, "yellow", "look again")}  ${what} for another look:`);
  }
  for (const { kind, name, rules, news, principals } of rereview) {
    const why = news === true ? ["MASKED_MUTATION, its server has another text, which the model does not read"] : [];
    lines.push(
      `    ${kind} ${nameFor({ name, ...(principals === undefined ? {} : { principals }) })}: ${[...why, ...rules].join(", ")}`,
    );
  }
  for (const { kind, name, verdict, principals } of definitions) {
    if (verdict === "bind" && principals !== undefined)
      lines.push(`  bound ${sayPrincipals(principals)}: ${kind} ${name}`);
  }
  for (const { kind, name } of gone) lines.push(`  approved, but no longer offered: ${kind} ${name}`);
  lines.push(`  last verified  ${sayVerified(status.verified)}`);
  if (waiting > 0) lines.push(`  offer ${offer}`);
  return lines.join("\n");
}

function nameFor({ name, principals }: Pick<DefinitionRow, "name" | "principals">): string {
  return principals === undefined ? name : `${name} (${sayPrincipals(principals)})`;
}

/** By checkpoint, each with the time of the one that was verified the longest ago. */
function sayVerified(rows: readonly VerifiedRow[]): string {
  const groups = new Map<string, { readonly sources: string[]; at: string | undefined }>();
  for (const row of rows) {
    const [by, at] = "at" in row ? [row.by, row.at] : ["", undefined];
    const group = groups.get(by) ?? { sources: [], at };
    group.sources.push(row.source);
    if (at !== undefined && (group.at ?? at) > at) group.at = at;
    groups.set(by, group);
  }
  return [...groups]
    .map(
      ([by, { sources, at }]) =>
        `${sources.join(", ")} ${at === undefined ? "not since the last start" : `${at} (${by})`}`,
    )
    .join("; ");
}

/** What nobody may overlook. */
function shouted({ server, letThrough, bypass }: ServerStatus): string | undefined {
  if (letThrough === "OBSERVED")
    return 'OBSERVED: everything passes, approved or not, because the config says "mode": "observe"';
  if (bypass === undefined) return undefined;
  const who = `by ${visible(bypass.by)}${because(bypass.reason)}`;
  return letThrough === undefined
    ? `bypassed ${who}, and held all the same: somebody decided against how the server is reached`
    : `BYPASSED until ${bypass.until} ${who}: everything passes, approved or not; to end it: countersign bypass ${server} --end`;
}

function because(reason: string | undefined): string {
  return reason === undefined ? "" : ` (${visible(reason)})`;
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

export function sayApproval({ server, approved, leftOut, seq, expires, reconnect, survivors }: ApproveReport): string {
  const left =
    survivors === undefined
      ? ""
      : `; ${survivors.length} names and values of the server's own are left in what the model reads, listed with --json`;
  const rest = leftOut === 0 ? "nothing of it waits any more" : `${leftOut} still ${leftOut === 1 ? "waits" : "wait"}`;
  const variants = approved.filter(({ principals }) => principals !== undefined);
  const whom = new Set(variants.flatMap(({ principals = [] }) => principals));
  const part = variants.length === approved.length ? "" : `${variants.length} of them `;
  const some = variants.length === 0 ? "" : `, ${part}${sayPrincipals([...whom].sort())}`;
  return `approved ${approved.length} ${approved.length === 1 ? "definition" : "definitions"} of ${server}${some} (entry ${seq} of the ledger)${expires === undefined ? "" : `, until ${expires}`}; ${rest}${reconnect ? "; reconnect the host" : ""}${left}`;
}

export function sayWithdrawal({ server, withdrawn }: WithdrawReport, done: "rejected" | "revoked"): string {
  return `${done} ${withdrawn.length} ${withdrawn.length === 1 ? "definition" : "definitions"} of ${server}`;
}

export function sayBypassed(report: BypassReport): string {
  if (report.is === "enforced")
    return `the bypass of ${report.server} is over (entry ${report.seq} of the ledger); what is not approved is withheld again`;
  const { server, until, letThrough, out, reconnect, seq } = report;
  const stays = out === 0 ? "" : `; ${out} ${out === 1 ? "stays" : "stay"} out all the same`;
  return `BYPASSED until ${until}: everything of ${server} passes, ${letThrough} of it that nobody approved (entry ${seq} of the ledger)${stays}${reconnect ? "; reconnect the host" : ""}`;
}

export function sayReview({ approved, rejected, left, kept, revoked, unseen }: ReviewReport): string {
  const again =
    kept + revoked + unseen === 0
      ? ""
      : `; of what was approved before ${kept} kept, ${revoked} revoked, ${unseen} left`;
  return `${approved} approved, ${rejected} rejected, ${left} left waiting${again}`;
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

function sayEntry(row: LogRow): string {
  const { seq, at, event, source, by, reason, definitions, malformed, until, unseen, key } = row;
  if (key !== undefined)
    return `${seq}  ${at}  ${event} ${sayKeyOf(row, key)} by ${visible(by ?? "")}${because(reason)}`;
  const server = row.server ?? "";
  if (event === "bypassed" || event === "enforced") {
    return `${seq}  ${at}  ${server}  ${event}${until === undefined ? "" : ` until ${until}`} by ${visible(by ?? "")}${because(reason)}`;
  }
  const what = source === undefined ? `by ${visible(by ?? "")}` : source;
  const faulty = malformed === undefined || malformed === 0 ? "" : `, ${malformed} malformed`;
  const blind = unseen === true ? ", unseen" : "";
  const whom = row.principals === undefined ? "" : ` ${sayPrincipals(row.principals)}`;
  return `${seq}  ${at}  ${server}  ${event} ${definitions.length} ${what}${whom}${blind}${faulty}${because(reason)}`;
}

function sayKeyOf({ name, servers, expires }: LogRow, key: string): string {
  if (name === undefined) return key;
  const only = servers === undefined ? "" : ` for ${servers.join(", ")}`;
  return `${key} (${name})${only}${expires === undefined ? "" : ` until ${expires}`}`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
