import { type ExitCode, exitCodes } from "../gate-error.ts";
import { shownName, type View } from "../print/view.ts";
import type { PlantReport, Unlocated } from "../prove/plant-report.ts";
import { plantApart } from "../prove/prove-apart.ts";
import { capturesOf, type From } from "./captures-of.ts";

export type PlantOptions = From & {
  readonly all: boolean;
  readonly seed: number;
};

export type PlantCommandReport = PlantReport & { readonly exitCode: ExitCode };

/** The second arm of `prove`, over captured offers or over what a server offers now. */
export async function plant(options: PlantOptions, view: View): Promise<PlantCommandReport> {
  const report = await plantApart(await capturesOf(options, view), { all: options.all, seed: options.seed });
  return {
    ...report,
    missed: report.missed.map((row) => shownRow(row, view)),
    withheld: report.withheld.map((row) => ({ ...row, name: shownName(row.name, view) })),
    exitCode: exitCodeFor(report),
  };
}

/** Names, places and what stands around a payload are server-chosen. */
function shownRow(row: Unlocated, view: View): Unlocated {
  const shown = (text: string) => (text === "" ? "" : shownName(text, view));
  return {
    ...row,
    name: shown(row.name),
    pointer: shown(row.pointer),
    says: shown(row.says),
    detail: row.detail.map(shown),
  };
}

/** Of what is malformed as it is, nothing is proved; and of nothing, nothing is. */
function exitCodeFor({ missed, withheld, definitions }: PlantReport): ExitCode {
  if (missed.length > 0) return exitCodes.findings;
  return withheld.length > 0 || definitions === 0 ? exitCodes.incomplete : exitCodes.clean;
}
