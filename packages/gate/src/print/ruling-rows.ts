import type { DefinitionRow, DriftRow, MisfitRow, ReasonRow } from "./definition-row.ts";
import { headingRows, labelledRows, ownRows, type Row } from "./rows.ts";
import { sayPrincipals } from "./say-principals.ts";
import { sideBySide } from "./side-by-side.ts";
import { type Format, paint, type View } from "./view.ts";

/** One definition and why it is ruled on as it is, for a person. */
export function rulingRows(row: DefinitionRow, view: View): readonly Row[] {
  const mark = {
    bind: paint(view, "green", "bound"),
    quarantine: paint(view, "yellow", "withheld"),
    refuse: paint(view, "red", "refused"),
  };
  const what = `${row.kind} ${row.name}`;
  const state = row.passes === true ? paint(view, ["red", "bold"], "passes") : mark[row.verdict];
  return [
    ...headingRows(what, row.name, view, state),
    ...(row.principals === undefined ? [] : ownRows(`offered ${sayPrincipals(row.principals, "to")}`, what, 2, view)),
    ...row.reasons.flatMap((reason) => reasonRows(reason, what, view)),
  ];
}

function reasonRows(reason: ReasonRow, what: string, view: View): readonly Row[] {
  const at = `the findings of ${what}`;
  const own = (text: string, format?: Format) => ownRows(text, at, 2, view, format);
  if ("rule" in reason) {
    const where = `${reason.part === "key" ? "the name at " : ""}${reason.at === "" ? "the whole" : reason.at}`;
    const unread = reason.in === undefined ? "" : ", in text that the model does not read now";
    const state = `${reason.acknowledged ? " (acknowledged)" : ""}${unread}`;
    const data = reason.data === undefined ? "" : `: ${reason.data.map((pair) => pair.join(" ")).join(", ")}`;
    const line = `${reason.gate} gate: ${reason.rule} (${reason.effect}${reason.added === true ? ", new" : ""}) at ${where}${data}${state}`;
    const said = own(line, formats[reason.effect]);
    if (reason.excerpt === undefined) return said;
    return [...said, ...labelledRows(reason.excerpt, { label: "", indent: 4, at, lines: false }, view)];
  }
  if ("drift" in reason) {
    if (reason.drift.length === 0)
      return own(`baseline gate: ${reason.code}, the server is not reached as it was approved to be`);
    const count = reason.drift.length === 1 ? "1 change" : `${reason.drift.length} changes`;
    const read = reason.code === "MASKED_MUTATION" ? "; the model still reads what was approved" : "";
    return [
      ...own(`baseline gate: ${reason.code}, ${count} since it was approved${read}`),
      ...reason.drift.flatMap((drift) => driftRows(drift, what, view)),
    ];
  }
  if ("misfits" in reason) {
    return reason.misfits.flatMap(({ code, at }) =>
      own(`baseline gate: PLAN_UNFIT, ${misfits[code]}${at === "" ? "" : ` at ${at}`}`),
    );
  }
  if ("faults" in reason) {
    return reason.faults.flatMap((fault) =>
      own(`${reason.gate} gate: MALFORMED, ${fault.code}${fault.at === "" ? "" : ` at ${fault.at}`}`),
    );
  }
  return own(`${reason.gate} gate: ${codes.get(reason.code) ?? reason.code}`);
}

const formats = { refuse: "red", ask: "yellow", note: undefined } as const;

const misfits: Readonly<Record<MisfitRow["code"], string>> = {
  NOTHING_THERE: "the plan sets a text where there is none",
  NOT_ANNOTATION: "the plan sets what a validator reads",
  OTHER_TYPE: "the plan sets a value of another type",
  NOT_CLOSABLE: "the plan closes a schema that is combined of others",
};

const codes: ReadonlyMap<string, string> = new Map([
  ["NOT_ALLOWED", "NOT_ALLOWED, the config allows other definitions only"],
  ["PLAN_CHANGED", "PLAN_CHANGED, its plan is not the one that it was approved under"],
  ["OBSERVED", "OBSERVED, the mode is observe, so it passes all the same"],
  ["BYPASSED", "BYPASSED, the server is bypassed, so it passes all the same"],
  ["NO_BASELINE", "NO_BASELINE, nobody has approved it"],
  ["REJECTED", "REJECTED, somebody decided against it"],
  ["REVOKED", "REVOKED, somebody took the approval back"],
  ["EXPIRED", "EXPIRED, the approval has run out"],
  ["UNSTABLE", "UNSTABLE, it changes too often to be reviewed"],
  ["GATE_FAILED", "GATE_FAILED, it could not be judged"],
]);

function driftRows(drift: DriftRow, what: string, view: View): readonly Row[] {
  const where = drift.at === "" ? "the whole" : drift.at;
  const at = `${where} of ${what}`;
  const unread = drift.masked === true ? " (not read by the model)" : "";
  const head = ownRows(`${drift.change} at ${where}${unread}`, at, 4, view);
  if (!view.text) return head;
  const narrower = { ...view, width: view.width - 6 };
  const sides = sideBySide(readable(drift.before), readable(drift.after), narrower);
  return [...head, ...sides.map(({ text, characters }) => ({ text: `      ${text}`, at, characters }))];
}

/** A string as its text, anything else as canonical JSON. */
function readable(json: string | undefined): string | undefined {
  if (json === undefined || !json.startsWith('"')) return json;
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : json;
}
