import { isClean, objectionsTo, type Stood } from "../standing.ts";
import { contentRows } from "./content-rows.ts";
import { definitionRow } from "./definition-row.ts";
import type { Row } from "./rows.ts";
import { rulingRows } from "./ruling-rows.ts";
import type { View } from "./view.ts";

/**
 * All that a person has to see of a definition to decide on it: what speaks against it, what changed, and what it says.
 * Of a change in which nothing was found, the rest has been decided on before.
 */
export function displayOf(stood: Stood, view: View): readonly Row[] {
  if (isClean(stood.ruling)) return contentRows(stood.definition, view);
  const rows = rulingRows(definitionRow(stood, view), view);
  const isDrift = stood.ruling.reasons.some((reason) => "drift" in reason && reason.drift.length > 0);
  if (isDrift && objectionsTo(stood.ruling).length === 0) return rows;
  return [...rows, ...contentRows(stood.definition, view)];
}
