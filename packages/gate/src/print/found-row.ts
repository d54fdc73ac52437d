import { type Kind, visible } from "@countersign/core";
import type { Stood } from "../standing.ts";
import { type FindingRow, findingRow } from "./definition-row.ts";
import { shownName, type View } from "./view.ts";

/** What one rule found in a definition, and what carried it. */
export interface FoundRow extends FindingRow {
  readonly kind: Kind;
  readonly name: string;
  readonly acknowledged: boolean;
  /** Only these principals are offered it; absent where all are. */
  readonly principals?: readonly string[];
  readonly data: readonly (readonly [key: string, shown: string])[];
}

export function foundRows({ definition, ruling, principals }: Stood, rule: string, view: View): readonly FoundRow[] {
  const { kind, name } = ruling.address;
  const rows: FoundRow[] = [];
  for (const reason of ruling.reasons) {
    if (reason.code !== "FINDING" || reason.finding.rule !== rule) continue;
    const { finding, acknowledged } = reason;
    const data = [...finding.data].map(([key, value]) => [key, shownDatum(key, value, view)] as const);
    rows.push({
      ...{ kind, name: shownName(name, view), acknowledged },
      ...findingRow(finding, definition.json, view),
      data,
      ...(principals === undefined ? {} : { principals }),
    });
  }
  return rows;
}

function shownDatum(key: string, value: string, view: View): string {
  if (ours.has(key)) return value;
  if (key !== "words") return shownName(value, view);
  return view.text ? visible(value) : "(shown with --text)";
}

/** What a rule says in words and numbers of its own. Whatever else it says may hold words of a server. */
const ours: ReadonlySet<string> = new Set(["score", "structure", "corroborated", "read", "of", "more"]);
