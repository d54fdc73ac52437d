import { visible } from "@countersign/core";
import { longestBypass } from "@countersign/ledger";
import { GateError } from "./gate-error.ts";

const units: ReadonlyMap<string, number> = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Milliseconds of "90s", "30m" or "1h", of a day at most; undefined for anything else. */
export function millisecondsIn(text: string): number | undefined {
  const [, digits, unit = ""] = /^([0-9]{1,6})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (units.get(unit) ?? Number.NaN);
  return milliseconds > 0 && milliseconds <= longestBypass ? milliseconds : undefined;
}

/** As `millisecondsIn`, for what somebody wrote at the command line. */
export function durationOf(text: string): number {
  const milliseconds = millisecondsIn(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new GateError(
    "USAGE",
    `Cannot take "${visible(text)}" for a time: give a whole number of seconds, minutes or hours, as in 90s, 30m or 1h; 24h at most`,
  );
}
