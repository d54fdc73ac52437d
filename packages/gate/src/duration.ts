import { visible } from "@countersign/core";
import { longestBypass } from "@countersign/ledger";
import { GateError } from "./gate-error.ts";

const units: ReadonlyMap<string, number> = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Milliseconds of "90s", "30m" or "1h", of a day at most. */
export function durationOf(text: string): number {
  const [, digits, unit = ""] = /^([0-9]{1,6})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (units.get(unit) ?? Number.NaN);
  if (milliseconds > 0 && milliseconds <= longestBypass) return milliseconds;
  throw new GateError(
    "USAGE",
    `Cannot take "${visible(text)}" for a time: give a whole number of seconds, minutes or hours, as in 90s, 30m or 1h; 24h at most`,
  );
}
