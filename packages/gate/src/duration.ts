import { visible } from "@countersign/core";
import { longestBypass } from "@countersign/ledger";
import { GateError } from "./gate-error.ts";

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** Milliseconds of "90s", "30m" or "1h", of a day at most; undefined for anything else. */
export function millisecondsIn(text: string): number | undefined {
  return /^[0-9]{1,6}[smh]$/.test(text) ? upTo(longestBypass, text) : undefined;
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

/** How long an approval or a key holds, as somebody wrote it at the command line: milliseconds, of a year and a day at most. */
export function lifetimeOf(text: string, what: "an approval" | "a key"): number {
  const milliseconds = /^[0-9]{1,6}[smhd]$/.test(text) ? upTo(366 * day, text) : undefined;
  if (milliseconds !== undefined) return milliseconds;
  throw new GateError(
    "USAGE",
    `Cannot take "${visible(text)}" for how long ${what} holds: give a whole number of hours or days, as in 12h or 30d; 366d at most`,
  );
}

function upTo(most: number, text: string): number | undefined {
  const milliseconds = Number(text.slice(0, -1)) * (units.get(text.slice(-1)) ?? Number.NaN);
  return milliseconds > 0 && milliseconds <= most ? milliseconds : undefined;
}

const units: ReadonlyMap<string, number> = new Map([
  ["s", second],
  ["m", 60 * second],
  ["h", hour],
  ["d", day],
]);
