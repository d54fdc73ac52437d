import type { ExplainReport } from "../commands/explain.ts";
import type { FoundRow } from "./found-row.ts";
import { labelledRows, ownRows } from "./rows.ts";
import { sayPrincipals } from "./say-principals.ts";
import type { View } from "./view.ts";

export function sayExplanation(
  { rule, gate, effect, confidence, taxa, page, found }: ExplainReport,
  view: View,
): string {
  const about = `${rule}: ${gate} gate, ${effect}, confidence ${confidence}; ${taxa.join(", ")}`;
  if (found === undefined) return `${page.trim()}\n\n${about}`;
  if (found.length === 0) return `${about}\n\nit finds nothing in what the server last offered`;
  return [about, ...found.map((one) => foundRow(one, view))].join("\n\n");
}

function foundRow(
  { kind, name, effect, confidence, at, excerpt, data, acknowledged, principals }: FoundRow,
  view: View,
): string {
  const whom = principals === undefined ? "" : ` (${sayPrincipals(principals)})`;
  const rows = [
    ...ownRows(
      `${kind} ${name}${whom}: ${effect}, confidence ${confidence}${acknowledged ? ", acknowledged" : ""}, at ${at}`,
      name,
      0,
      view,
    ),
    ...(excerpt === undefined ? [] : labelledRows(excerpt, { label: "", indent: 2, at, lines: false }, view)),
    ...data.filter(([, value]) => value !== "").flatMap(([key, value]) => ownRows(`${key}: ${value}`, name, 2, view)),
  ];
  return rows.map(({ text }) => text).join("\n");
}
