import type { Prose } from "@countersign/core";
import { type ExitCode, exitCodes } from "../gate-error.ts";
import { shownName, type View } from "../print/view.ts";
import { proveApart } from "../prove/prove-apart.ts";
import type { FalseDrift, Missed, ProveReport } from "../prove/report.ts";
import { capturesOf, type From } from "./captures-of.ts";

export type ProveOptions = From & {
  readonly all: boolean;
  readonly seed: number;
  readonly prose: Prose;
};

export type ProveCommandReport = ProveReport & { readonly exitCode: ExitCode };

/** The control arms over captured offers, or over what a server offers now. */
export async function prove(options: ProveOptions, view: View): Promise<ProveCommandReport> {
  const report = await proveApart(await capturesOf(options, view), {
    all: options.all,
    seed: options.seed,
    prose: options.prose,
  });
  return {
    ...report,
    missed: report.missed.map((row) => ({
      ...row,
      ...shownComplaint(row, view),
      pointer: row.pointer === "" ? "" : shownName(row.pointer, view),
    })),
    falseDrift: report.falseDrift.map((row) => ({ ...row, ...shownComplaint(row, view) })),
    withheld: report.withheld.map((row) => ({ ...row, name: shownName(row.name, view) })),
    exitCode: exitCodeFor(report),
  };
}

/** Names and places are server-chosen. */
function shownComplaint({ name, detail }: Missed | FalseDrift, view: View) {
  return { name: shownName(name, view), detail: detail.map((one) => (one === "" ? "" : shownName(one, view))) };
}

/** Of what could not be bound while nothing moved, nothing is proved; and of nothing, nothing is. */
function exitCodeFor({ missed, falseDrift, withheld, definitions }: ProveReport): ExitCode {
  if (missed.length > 0 || falseDrift.length > 0) return exitCodes.findings;
  return withheld.length > 0 || definitions === 0 ? exitCodes.incomplete : exitCodes.clean;
}
