import type { ServerName } from "@countersign/core";
import { urlProblem } from "../gateway/url-problem.ts";
import type { Entry } from "../hosts/entry.ts";
import { guardedBy } from "../hosts/guarded-by.ts";
import type { HostId } from "../hosts/host-id.ts";
import { serverNames } from "../hosts/server-names.ts";
import { ownPathOf } from "../project/repository.ts";

/** One entry of one file. Several hosts may read the same file. */
export interface Found {
  readonly entry: Entry;
  readonly hosts: readonly HostId[];
  readonly server: ServerName;
}

/** Each entry once, by name, in the order of the hosts; what a repository wrote comes after what the person did. */
export function foundEntries(entries: readonly Entry[]): readonly Found[] {
  const byPlace = new Map<string, { entry: Entry; hosts: Set<HostId> }>();
  for (const entry of entries) {
    const key = JSON.stringify([ownPathOf(entry.file.path), entry.at]);
    const there = byPlace.get(key);
    if (there === undefined) byPlace.set(key, { entry, hosts: new Set([entry.host]) });
    else there.hosts.add(entry.host);
  }
  const all = [...byPlace.values()];
  const own = (entry: Entry) => entry.file.scope === "user" || entry.file.scope === "managed";
  const ordered = [...all.filter(({ entry }) => own(entry)), ...all.filter(({ entry }) => !own(entry))];
  const names = serverNames(ordered.map(({ entry }) => entry));
  return ordered.map(({ entry, hosts }) => {
    const server = names.get(entry);
    if (server === undefined) throw new RangeError("an entry has no name");
    return { entry, hosts: [...hosts], server };
  });
}

export interface Chosen {
  /** None is all. */
  readonly hosts: readonly HostId[];
  /** Names of entries; none is all that the person wrote. */
  readonly only: readonly string[];
}

export function isChosen({ entry, hosts }: Found, chosen: Chosen): boolean {
  if (chosen.hosts.length > 0 && !hosts.some((host) => chosen.hosts.includes(host))) return false;
  return chosen.only.length === 0 || chosen.only.includes(entry.name);
}

/** Why an entry cannot have the gate put before it, or is not to. */
export type Unfit =
  /** Over a WebSocket. */
  | "REMOTE"
  | "BAD_URL"
  | "SHELL"
  | "NO_COMMAND"
  | "NOT_AN_OBJECT"
  | "WRONG_TYPE"
  | "BROKEN_FILE"
  | "DISABLED"
  | "MANAGED"
  /** It was not asked for by name. */
  | "PROJECT"
  | "PLUGIN";

export function whyUnfit({ reach, enabled, oddities, file: { scope } }: Entry, { only }: Chosen): Unfit | undefined {
  if (reach.is === "remote" && reach.transport === "ws") return "REMOTE";
  // What the host puts in for a variable is not known here.
  if (reach.is === "remote" && !/[${]/.test(reach.url) && urlProblem(reach.url) !== undefined) return "BAD_URL";
  if (reach.is === "opaque") return reach.because;
  if (oddities.some(({ code }) => code === "BROKEN_FILE")) return "BROKEN_FILE";
  if (!enabled) return "DISABLED";
  switch (scope) {
    case "user":
      return undefined;
    case "managed":
      return "MANAGED";
    case "project":
      return only.length === 0 ? "PROJECT" : undefined;
    case "plugin":
      return only.length === 0 ? "PLUGIN" : undefined;
  }
}

export function isGuarded({ entry }: Found): boolean {
  return guardedBy(entry) !== undefined;
}
