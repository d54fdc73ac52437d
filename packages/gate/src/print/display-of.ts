import { isAsSent } from "@countersign/core";
import { readAs } from "../read-as.ts";
import { isClean, objectionsTo, type Stood } from "../standing.ts";
import { contentRows } from "./content-rows.ts";
import { definitionRow } from "./definition-row.ts";
import { ownRows, type Row } from "./rows.ts";
import { rulingRows } from "./ruling-rows.ts";
import { sayPrincipals } from "./say-principals.ts";
import { shownName, type View } from "./view.ts";

/**
 * All that a person has to see of a definition to decide on it: what speaks against it, what changed, and what it says.
 * Of a change in which nothing was found, the rest has been decided on before.
 */
export function displayOf(stood: Stood, view: View): readonly Row[] {
  const read = readAs(stood);
  const plan = planRows(stood, view);
  if (isClean(stood.ruling)) return [...whomRows(stood, view), ...plan, ...contentRows(read, view)];
  const rows = rulingRows(definitionRow(stood, view), view);
  const isDrift = stood.ruling.reasons.some((reason) => "drift" in reason && reason.drift.length > 0);
  if (isDrift && objectionsTo(stood.ruling).length === 0) return rows;
  return [...rows, ...plan, ...contentRows(read, view)];
}

function whomRows({ definition: { address }, principals }: Stood, view: View): readonly Row[] {
  if (principals === undefined) return [];
  const name = shownName(address.name, view);
  return ownRows(`${address.kind} ${name} is offered ${sayPrincipals(principals, "to")}:`, name, 0, view);
}

/** What the model would not read is not shown; that there is a plan is. */
function planRows({ definition: { address }, plan }: Stood, view: View): readonly Row[] {
  if (isAsSent(plan) || address.kind === "launch") return [];
  const set =
    plan.set === undefined ? "" : `, with ${plan.set.length === 1 ? "1 text" : `${plan.set.length} texts`} of your own`;
  const closed = plan.close === true ? ", closed" : "";
  const name = shownName(address.name, view);
  return ownRows(
    `${address.kind} ${name} is planned ${plan.prose}${set}${closed}; the model would read:`,
    name,
    0,
    view,
  );
}
