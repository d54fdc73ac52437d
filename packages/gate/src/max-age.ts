import { millisecondsIn } from "./duration.ts";

/** How old a list may be: seconds, or a time as in "10m". */
export type MaxAge = number | string;

/** Milliseconds, a second to a day; undefined for what is no such time. */
export function maxAgeIn(maxAge: MaxAge): number | undefined {
  return millisecondsIn(typeof maxAge === "number" ? `${maxAge}s` : maxAge);
}
