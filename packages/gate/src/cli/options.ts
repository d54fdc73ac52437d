import { visible } from "@countersign/core";
import { Option } from "commander";
import { GateError } from "../gate-error.ts";

/** What decides how a report is printed. */
export interface Output {
  readonly json?: boolean;
  readonly text?: boolean;
}

export const ledgerOption = new Option("--ledger <path>", "the ledger to use").env("COUNTERSIGN_LEDGER");
export const configOption = new Option("--config <path>", "the config to use").env("COUNTERSIGN_CONFIG");
export const jsonOption = new Option("--json", "machine-readable output");
export const textOption = new Option("--text", "show what servers wrote even where the output is no terminal");

/** The places that somebody named; a place that is not named has no key. */
export function given({ ledger, config }: { ledger?: string; config?: string }): { ledger?: string; config?: string } {
  return { ...(ledger === undefined ? {} : { ledger }), ...(config === undefined ? {} : { config }) };
}

export function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 3_600) return value;
  throw new GateError("USAGE", `Cannot wait "${visible(text)}" seconds; give a number from 1 to 3600`);
}
