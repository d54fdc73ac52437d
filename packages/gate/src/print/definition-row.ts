import {
  type Address,
  type Digest,
  type Drift,
  type Fault,
  type Finding,
  type Json,
  type Kind,
  type Malformed,
  type Misfit,
  type Reason,
  type Ruling,
  type Verdict,
  valueAt,
} from "@countersign/core";
import type { Stood } from "../standing.ts";
import { floatingIn } from "./launch-row.ts";
import { shownName, type View } from "./view.ts";

/** A ruling as every output shows it: JSON as it is, text as sentences made from it. */
export interface DefinitionRow {
  readonly kind: Kind;
  readonly name: string;
  readonly verdict: Verdict;
  /** It reaches the host in spite of the verdict: everything of its server passes. */
  readonly passes?: true;
  readonly received?: Digest;
  readonly reasons: readonly ReasonRow[];
  /** Only these principals are offered it; absent where all are. */
  readonly principals?: readonly string[];
  /** Of a launch: why it can start another program without a change in its words. */
  readonly floating?: readonly string[];
  /** All of it, as the server wrote it: where it waits, and `--text` asks for it. */
  readonly whole?: { readonly address: Address; readonly text: string };
}

export type ReasonRow =
  | { readonly gate: string; readonly code: string }
  | {
      readonly gate: string;
      readonly code: "DESCRIPTION_MUTATION" | "MASKED_MUTATION" | "LAUNCH_CHANGED";
      readonly drift: readonly DriftRow[];
    }
  | { readonly gate: string; readonly code: "MALFORMED"; readonly faults: readonly Fault[] }
  | { readonly gate: string; readonly code: "PLAN_UNFIT"; readonly misfits: readonly MisfitRow[] }
  | ({
      readonly gate: string;
      readonly code: "FINDING";
      readonly acknowledged: boolean;
      /** The approved text has no such words: they came with the change. */
      readonly added?: true;
      /** In a text that the model does not read now. */
      readonly in?: "received";
    } & FindingRow);

export interface MisfitRow {
  readonly code: Misfit["code"];
  readonly at: string;
}

export interface FindingRow {
  readonly rule: string;
  readonly effect: Finding["effect"];
  readonly confidence: Finding["confidence"];
  readonly at: string;
  readonly part: Finding["part"];
  readonly span?: Finding["span"];
  /** Server text around the span, only in a view that shows text. */
  readonly excerpt?: string;
  /** What the identity gate found alike, in order. */
  readonly data?: readonly (readonly [key: string, shown: string])[];
}

export interface DriftRow {
  readonly at: string;
  readonly role: Drift["role"];
  readonly change: Drift["change"];
  /** The model does not read the change. */
  readonly masked?: true;
  /** Canonical JSON, server-written, only in a view that shows text. */
  readonly before?: string;
  readonly after?: string;
}

export function definitionRow({ definition, ruling, principals }: Stood, view: View): DefinitionRow {
  const row = { ...rowOf(ruling, definition.json, view), ...(principals === undefined ? {} : { principals }) };
  const floating = floatingIn(definition);
  return floating.length === 0 ? row : { ...row, floating };
}

export function malformedRow({ kind, name, faults }: Malformed, view: View): DefinitionRow {
  const duplicate = faults.some(({ code }) => code === "DUPLICATE_NAME");
  return {
    kind,
    name: name === undefined ? "(no name)" : shownName(name, view),
    verdict: "refuse",
    reasons: [
      {
        gate: duplicate ? "identity" : "schema",
        code: "MALFORMED",
        faults: faults.map((fault) => shownFault(fault, view)),
      },
    ],
  };
}

function rowOf(ruling: Ruling, json: Json, view: View): DefinitionRow {
  return {
    kind: ruling.address.kind,
    name: shownName(ruling.address.name, view),
    verdict: ruling.verdict,
    ...(ruling.received === undefined ? {} : { received: ruling.received }),
    reasons: byWeight(ruling.reasons).map((reason) => reasonRow(reason, json, view)),
  };
}

/** Findings behind the others: what a change brings in first, and what somebody has acknowledged last. */
function byWeight(reasons: readonly Reason[]): readonly Reason[] {
  const weightOf = (reason: Reason) => {
    if (reason.code !== "FINDING") return 0;
    return (
      1 + (reason.acknowledged ? 8 : reason.added ? 0 : 4) + ["refuse", "ask", "note"].indexOf(reason.finding.effect)
    );
  };
  return [...reasons].sort((a, b) => weightOf(a) - weightOf(b));
}

function reasonRow(reason: Reason, json: Json, view: View): ReasonRow {
  const { gate, code } = reason;
  switch (code) {
    case "FINDING":
      return {
        ...{ gate, code, acknowledged: reason.acknowledged },
        ...(reason.added ? { added: true } : {}),
        ...(reason.in === "received" ? { in: reason.in } : {}),
        ...findingRow(reason.finding, json, view),
        ...(gate === "identity" ? { data: shownData(reason.finding, view) } : {}),
      };
    case "DESCRIPTION_MUTATION":
    case "MASKED_MUTATION":
    case "LAUNCH_CHANGED":
      return { gate, code, drift: reason.drift.map((drift) => driftRow(drift, view)) };
    case "MALFORMED":
      return { gate, code, faults: reason.faults.map((fault) => shownFault(fault, view)) };
    case "PLAN_UNFIT":
      return { gate, code, misfits: reason.misfits.map(({ code, at }) => ({ code, at: shownPointer(at, view) })) };
    case "NOT_ALLOWED":
    case "PLAN_CHANGED":
    case "GATE_FAILED":
    case "NO_BASELINE":
    case "REJECTED":
    case "REVOKED":
    case "EXPIRED":
    case "UNSTABLE":
    case "OBSERVED":
    case "BYPASSED":
      return { gate, code };
  }
}

export function findingRow({ rule, effect, confidence, at, part, span }: Finding, json: Json, view: View): FindingRow {
  const found = valueAt(json, at);
  const text = part === "key" ? found?.key : found?.value.is === "string" ? found.value.value : undefined;
  const excerpt = view.text && text !== undefined ? excerptOf(text, span) : undefined;
  return {
    ...{ rule, effect, confidence, at: shownPointer(at, view), part },
    ...(span === undefined ? {} : { span }),
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}

/** Another definition's name is in another place than the finding, and as server-written as any. */
function shownData({ data }: Finding, view: View): readonly (readonly [string, string])[] {
  return [...data].map(([key, value]) => [key, shownName(value, view)] as const);
}

function excerptOf(text: string, span: Finding["span"]): string {
  const start = Math.max(0, (span?.start ?? 0) - 40);
  const end = Math.min(text.length, (span?.end ?? 120) + 40, start + 400);
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

function driftRow({ at, role, change, masked, before, after }: Drift, view: View): DriftRow {
  return {
    ...{ at: shownPointer(at, view), role, change },
    ...(masked === undefined ? {} : { masked }),
    ...(view.text && before !== undefined ? { before } : {}),
    ...(view.text && after !== undefined ? { after } : {}),
  };
}

function shownFault({ code, at }: Fault, view: View): Fault {
  return { code, at: shownPointer(at, view) as Fault["at"] };
}

/** A pointer is made of server-chosen keys. */
function shownPointer(at: string, view: View): string {
  return at === "" ? "" : shownName(at, view);
}
