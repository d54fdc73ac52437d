import type { Json, Member } from "@countersign/core";
import type { Splice } from "./splice.ts";

/**
 * How long a host may keep what carries definitions, and for whom: not at all, and for this one. What is served depends on
 * decisions, and a host that keeps a copy would not see a revocation.
 */
const uncached: ReadonlyMap<string, string> = new Map([
  ["ttlMs", "0"],
  ["cacheScope", '"private"'],
]);

/** The member as it is served, whatever the server wrote there. */
export function uncachedMember(key: string, text: string): string {
  const value = uncached.get(key);
  return value === undefined ? text : `"${key}":${value}`;
}

/** What differs between a result that the server sent and the one that is served. Nothing is added that was not there. */
export function uncachedIn(result: Json, text: string): readonly Splice[] {
  const members: readonly Member[] = result.is === "object" ? result.members : [];
  return members.flatMap(({ key, value: { start, end } }) => {
    const value = uncached.get(key);
    return value === undefined || text.slice(start, end) === value ? [] : [{ start, end, text: value }];
  });
}
