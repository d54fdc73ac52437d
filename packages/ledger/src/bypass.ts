import type { Bypassed } from "./event.ts";

/** Until when everything of a server passes though nobody approved it, by whose decision. Milliseconds since 1970. */
export interface Bypass {
  readonly from: number;
  readonly until: number;
  readonly by: string;
  readonly reason?: string;
}

/** The longest bypass that there is, in milliseconds. Whatever an event says, it is over then. */
export const longestBypass = 24 * 3_600_000;

/** @param at when the event was recorded */
export function bypassOf({ until, by, reason }: Bypassed, at: number): Bypass {
  return {
    from: at,
    until: Math.min(until, at + longestBypass),
    by,
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * A clock that shows a time before the decision is wrong, so nothing passes by it: whoever puts it back does not get
 * another hour.
 */
export function isInForce({ from, until }: Bypass, now: number): boolean {
  return from <= now && now < until;
}
