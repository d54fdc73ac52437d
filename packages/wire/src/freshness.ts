/** When a list was asked for. What was asked for before it changed, or too long ago, tells nothing about now. */
export interface Asked {
  /** How often the list was said to have changed by then. */
  readonly changes: number;
  /** Of two that were asked for after equally many changes, the later one has the greater turn. */
  readonly turn: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** In milliseconds, from when it was asked for. */
export interface Lifetime {
  /** The operator's. */
  readonly maxAge: number | undefined;
  /** The server's. */
  readonly ttl: number | undefined;
}

/**
 * Until when what was asked for then may be relied on. A server that gives no time at all, as the SDK's do by default, is
 * asked again by calls, and at most once a second.
 */
export function freshUntil({ at }: Asked, { maxAge = never, ttl = never }: Lifetime): number {
  return at + Math.min(maxAge, Math.max(ttl, 1_000));
}

/** When the guard asks by itself, though nobody needs it. A server's wish for that is met once a minute at most. */
export function dueAt({ at }: Asked, { maxAge = never, ttl = never }: Lifetime): number {
  return at + Math.min(maxAge, Math.max(ttl, 60_000));
}

/** A clock that was put back to before it was asked for says nothing about its age, so it counts as too old. */
export function isWithin(asked: Asked, until: number, now: number): boolean {
  return asked.at <= now && now < until;
}

export function isLater(one: Asked, other: Asked): boolean {
  return one.changes === other.changes ? one.turn > other.turn : one.changes > other.changes;
}

const never = Number.POSITIVE_INFINITY;
