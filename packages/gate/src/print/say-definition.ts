import { visible } from "@countersign/core";
import type { DefinitionRow, DriftRow, MisfitRow, ReasonRow } from "./definition-row.ts";
import { sideBySide } from "./side-by-side.ts";
import { paint, type View } from "./view.ts";

/** One definition and why it is ruled on as it is, as lines for a person. */
export function sayDefinition(row: DefinitionRow, view: View): string {
  const mark = {
    bind: paint(view, "green", "bound"),
    quarantine: paint(view, "yellow", "withheld"),
    refuse: paint(view, "red", "refused"),
  };
  const state = row.passes ? paint(view, ["red", "bold"], "passes") : mark[row.verdict];
  const lines = [`${state}  ${row.kind} ${paint(view, "bold", row.name)}`];
  for (const reason of row.reasons) lines.push(...sayReason(reason, view).map((line) => `  ${line}`));
  return lines.join("\n");
}

/** A launch that floats is pinned by its words only. */
export function sayFloating(because: string, view: View): string {
  return paint(view, "yellow", `floating: ${becauses.get(because) ?? visible(because)}`);
}

const becauses: ReadonlyMap<string, string> = new Map([
  ["unpinned-package", "it fetches a package without an exact version, so it can change by itself"],
  ["remote-source", "it runs what a remote place holds just then, so it can change by itself"],
  ["shell", "a shell decides what it runs"],
  ["unpinned-image", "it runs an image without a digest, so it can change by itself"],
  ["project-file", "a file of the folder that it starts in decides what it runs"],
]);

function sayReason(reason: ReasonRow, view: View): readonly string[] {
  if ("rule" in reason) {
    const where = `${reason.part === "key" ? "the name at " : ""}${reason.at === "" ? "the whole" : reason.at}`;
    const unread = reason.in === undefined ? "" : ", in text that the model does not read now";
    const state = `${reason.acknowledged ? " (acknowledged)" : ""}${unread}`;
    const data = reason.data === undefined ? "" : `: ${reason.data.map((pair) => pair.join(" ")).join(", ")}`;
    const line = `${reason.gate} gate: ${reason.rule} (${reason.effect}) at ${where}${data}${state}`;
    const painted =
      reason.effect === "refuse"
        ? paint(view, "red", line)
        : reason.effect === "ask"
          ? paint(view, "yellow", line)
          : line;
    return reason.excerpt === undefined ? [painted] : [painted, `    ${visible(reason.excerpt)}`];
  }
  if ("drift" in reason) {
    if (reason.drift.length === 0)
      return [`baseline gate: ${reason.code}, the server is not reached as it was approved to be`];
    const count = reason.drift.length === 1 ? "1 change" : `${reason.drift.length} changes`;
    const read = reason.code === "MASKED_MUTATION" ? "; the model still reads what was approved" : "";
    return [
      `baseline gate: ${reason.code}, ${count} since it was approved${read}`,
      ...reason.drift.flatMap((drift) => sayDrift(drift, view)),
    ];
  }
  if ("misfits" in reason) {
    return reason.misfits.map(
      ({ code, at }) => `baseline gate: PLAN_UNFIT, ${misfits[code]}${at === "" ? "" : ` at ${at}`}`,
    );
  }
  if ("faults" in reason) {
    return reason.faults.map(
      ({ code, at }) => `${reason.gate} gate: MALFORMED, ${code}${at === "" ? "" : ` at ${at}`}`,
    );
  }
  return [`${reason.gate} gate: ${codes.get(reason.code) ?? reason.code}`];
}

const misfits: Readonly<Record<MisfitRow["code"], string>> = {
  NOTHING_THERE: "the plan sets a text where there is none",
  NOT_ANNOTATION: "the plan sets what a validator reads",
  OTHER_TYPE: "the plan sets a value of another type",
  NOT_CLOSABLE: "the plan closes a schema that is combined of others",
};

const codes: ReadonlyMap<string, string> = new Map([
  ["PLAN_CHANGED", "PLAN_CHANGED, its plan is not the one that it was approved under"],
  ["NO_BASELINE", "NO_BASELINE, nobody has approved it"],
  ["REJECTED", "REJECTED, somebody decided against it"],
  ["REVOKED", "REVOKED, somebody took the approval back"],
  ["EXPIRED", "EXPIRED, the approval has run out"],
  ["UNSTABLE", "UNSTABLE, it changes too often to be reviewed"],
  ["OBSERVED", "OBSERVED, the mode is observe, so it passes all the same"],
  ["BYPASSED", "BYPASSED, the server is bypassed, so it passes all the same"],
  ["GATE_FAILED", "GATE_FAILED, it could not be judged"],
]);

function sayDrift(drift: DriftRow, view: View): readonly string[] {
  const unread = drift.masked === true ? " (not read by the model)" : "";
  const head = `  ${paint(view, "bold", drift.change)} at ${drift.at === "" ? "the whole" : drift.at}${unread}`;
  if (!view.text) return [head];
  return [head, ...sideBySide(readable(drift.before), readable(drift.after), view).map((line) => `    ${line}`)];
}

/** A string as its text, anything else as canonical JSON. */
function readable(json: string | undefined): string | undefined {
  if (json === undefined || !json.startsWith('"')) return json;
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}
