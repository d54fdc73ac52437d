import { type RawDefinition, readJson } from "@countersign/core";
import { contentRows } from "./content-rows.ts";
import type { DefinitionRow } from "./definition-row.ts";
import type { Row } from "./rows.ts";
import { rulingRows } from "./ruling-rows.ts";
import type { View } from "./view.ts";
import { within } from "./within.ts";

/** One definition and why it is ruled on as it is, with what it says where that was asked for; as much as is shown at once. */
export function sayDefinition(row: DefinitionRow, view: View, howToSee: string): string {
  return within([...rulingRows(row, view), ...wholeRows(row, view)], view, howToSee).join("\n");
}

/** What a definition says, as much as is shown at once. */
export function sayContents(row: DefinitionRow, view: View, howToSee: string): string {
  return within(wholeRows(row, view), view, howToSee).join("\n");
}

function wholeRows({ whole }: DefinitionRow, view: View): readonly Row[] {
  return whole === undefined ? [] : contentRows({ address: whole.address, json: jsonOf(whole.text) }, view);
}

/** Of a text that came from the ledger, which holds no other. */
function jsonOf(text: string): RawDefinition["json"] {
  const reading = readJson(text);
  if (reading.is === "refused") throw new RangeError(`a text of the ledger is no JSON: ${reading.refusal.code}`);
  return reading.json;
}
