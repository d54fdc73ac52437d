import { createHash } from "node:crypto";
import type { ServerName } from "@countersign/core";
import type { Entry, Reach } from "./entry.ts";
import { guardedBy } from "./guarded-by.ts";
import { serverNameOf } from "./server-name-of.ts";

/**
 * A name for each entry, so that two have the same one exactly when they have the same name in their files and are reached
 * in the same way: one server in three hosts is one decision. An entry that is guarded already keeps the name that it has;
 * of several that are reached differently the first keeps the plain name, and the others are told apart by their host.
 */
export function serverNames(entries: readonly Entry[]): ReadonlyMap<Entry, ServerName> {
  const names = new Map<Entry, ServerName>();
  const taken = new Map<ServerName, string>();
  for (const entry of entries) {
    const guarded = guardedBy(entry);
    if (guarded === undefined) continue;
    names.set(entry, guarded.server);
    taken.set(guarded.server, reachKey(guarded.behind));
  }
  for (const entry of entries) {
    if (names.has(entry)) continue;
    const key = reachKey(entry.reach);
    const candidates = [entry.name, `${entry.name}.${entry.host}`, `${entry.name}.${entry.host}.${shortHash(key)}`];
    const name = candidates.map(serverNameOf).find((one) => (taken.get(one) ?? key) === key);
    // Only two launches with the same hash could take each other's last candidate.
    if (name === undefined) throw new RangeError(`two servers have the hash ${shortHash(key)}`);
    names.set(entry, name);
    taken.set(name, key);
  }
  return names;
}

/** Equal for entries that start, or call, the same thing in the same way, as far as their files say. */
export function reachKey(reach: Reach): string {
  switch (reach.is) {
    case "stdio": {
      const { command, args, env, cwd = null, envFile = null } = reach;
      return JSON.stringify(["stdio", command, args, sorted(env), cwd, envFile]);
    }
    case "remote":
      return JSON.stringify(["remote", reach.url, sorted(reach.headers)]);
    case "opaque":
      return JSON.stringify(["opaque", reach.because]);
  }
}

function sorted(map: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
