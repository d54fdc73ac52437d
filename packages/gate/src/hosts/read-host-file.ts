import type { Json } from "@countersign/core";
import type { Entry, Oddity } from "./entry.ts";
import type { Host, HostFile, ServerList } from "./host.ts";
import type { HostFileProblem } from "./problem.ts";
import { linesOf } from "./reading/lines-of.ts";
import { lastOf, reachOf } from "./reading/reach-of.ts";
import { readDocument } from "./reading/read-document.ts";

export interface HostFileReading {
  readonly entries: readonly Entry[];
  readonly problems: readonly HostFileProblem[];
}

/** All entries of one file. Whatever is wrong with one of them, or with the file around them, the others are read. */
export function readHostFile(host: Host, file: HostFile, bytes: Uint8Array): HostFileReading {
  const about = { host: host.id, path: file.path };
  if (file.format === "shell") return { entries: [], problems: [{ ...about, code: "SHELL" }] };
  const document = readDocument(file.format, bytes);
  if (document.text === undefined) return { entries: [], problems: [{ ...about, code: document.fault }] };
  const placeOf = linesOf(document.text);
  const problems: HostFileProblem[] = document.faults.map(({ code, at, detail }) => ({
    ...{ ...about, code },
    ...(at === undefined ? {} : placeOf(at)),
    ...(detail === undefined ? {} : { detail }),
  }));
  const { root } = document;
  if (root === undefined) return { entries: [], problems };
  const broken: readonly Oddity[] = problems.length > 0 ? [{ code: "BROKEN_FILE" }] : [];
  const found: Found[] = [];
  for (const list of file.lists) {
    if (list.at.length === 0 && found.length > 0) continue;
    for (const { at, json } of reached(root, list.at, [])) {
      if (json.is === "object" || json.is === "array") found.push(...entriesIn(json, at, list, file.lists));
      else if (json.is !== "null") problems.push({ ...about, code: "WRONG_TYPE", ...placeOf(json.start) });
    }
  }
  for (const at of repeatedAbove(root, file.lists)) problems.push({ ...about, code: "DUPLICATE_KEY", ...placeOf(at) });
  const others = found.filter(({ json }) => !isOwn(json, host));
  const entries = others.map(({ at, name, start, json, twice }): Entry => {
    const { reach, oddities } = reachOf(json, host);
    const repeated: readonly Oddity[] = twice ? [{ code: "DUPLICATE_KEY", key: name }] : [];
    return {
      ...{ host: host.id, file, at, name, reach },
      line: placeOf(start).line,
      enabled: isEnabled(json) && isSwitchedOn(name, at, root, host),
      oddities: [...repeated, ...oddities, ...broken],
    };
  });
  return { entries, problems };
}

interface Found {
  readonly at: readonly (string | number)[];
  readonly name: string;
  readonly start: number;
  readonly json: Json;
  /** Another entry of the same name stands before it, and does not count. */
  readonly twice: boolean;
}

/** Whatever a list's keys lead to. */
function* reached(
  json: Json,
  keys: readonly string[],
  at: readonly (string | number)[],
): Generator<{ readonly at: readonly (string | number)[]; readonly json: Json }> {
  const [key, ...rest] = keys;
  if (key === undefined) yield { at, json };
  else if (key === "*" && json.is === "array") {
    for (const [index, item] of json.items.entries()) yield* reached(item, rest, [...at, index]);
  } else if (key === "*" && json.is === "object") {
    for (const [name, { value }] of lastMembers(json.members)) yield* reached(value, rest, [...at, name]);
  } else {
    const found = lastOf(json, key);
    if (found !== undefined) yield* reached(found, rest, [...at, key]);
  }
}

function entriesIn(
  list: Extract<Json, { is: "object" | "array" }>,
  at: readonly (string | number)[],
  { at: keys }: ServerList,
  lists: readonly ServerList[],
): readonly Found[] {
  if (list.is === "array") {
    return list.items.map((json, index) => {
      const name = lastOf(json, "name");
      const called = name?.is === "string" ? name.value : `#${index + 1}`;
      return { at: [...at, index], name: called, start: json.start, json, twice: false };
    });
  }
  const found: Found[] = [];
  for (const [name, { start, value, twice }] of lastMembers(list.members)) {
    // `mcp.servers` of opencode is a list in a place where its older form has entries.
    const leadsOn = lists.some(({ at }) => at.length > keys.length && at[keys.length] === name && startsWith(at, keys));
    if ((keys.length > 0 && !leadsOn) || looksLikeEntry(value))
      found.push({ at: [...at, name], name, start, json: value, twice });
  }
  return found;
}

function startsWith(at: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, index) => at[index] === key);
}

function isOwn(json: Json, { ownTypes = [] }: Host): boolean {
  const type = lastOf(json, "type");
  return type?.is === "string" && ownTypes.includes(type.value);
}

/** At the root of a file anything may stand. */
function looksLikeEntry(json: Json): boolean {
  return lastOf(json, "command", "cmd", "url", "serverUrl", "httpUrl", "uri", "transport") !== undefined;
}

function lastMembers(members: Extract<Json, { is: "object" }>["members"]) {
  const last = new Map<string, { start: number; value: Json; twice: boolean }>();
  for (const { key, start, value } of members) last.set(key, { start, value, twice: last.has(key) });
  return last;
}

/** Where one of the keys that lead to servers stands a second time. */
function repeatedAbove(root: Json, lists: readonly ServerList[]): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { at: keys } of lists) {
    let around: readonly Json[] = [root];
    for (const key of keys) {
      for (const json of around) {
        const same = json.is === "object" && key !== "*" ? json.members.filter((member) => member.key === key) : [];
        for (const { start } of same.slice(1)) places.add(start);
      }
      around = around.flatMap((json) => [...reached(json, [key], [])].map(({ json: one }) => one));
    }
  }
  return places;
}

/** By the lists of names beside the list that the entry stands in. */
function isSwitchedOn(name: string, at: Found["at"], root: Json, { switches }: Host): boolean {
  if (switches === undefined) return true;
  const around = at.slice(0, -2).reduce<Json | undefined>((json, key) => lastOf(json, String(key)), root);
  const names = (keys: readonly string[]) => {
    const list = keys.reduce<Json | undefined>((json, key) => lastOf(json, key), around);
    return list?.is === "array" ? list.items.flatMap((item) => (item.is === "string" ? [item.value] : [])) : undefined;
  };
  if (names(switches.off)?.includes(name) === true) return false;
  return switches.only === undefined || (names(switches.only)?.includes(name) ?? true);
}

function isEnabled(json: Json): boolean {
  const says = (key: string, value: boolean) => {
    const said = lastOf(json, key);
    return said?.is === "boolean" && said.value === value;
  };
  return !says("disabled", true) && !says("enabled", false) && !says("isActive", false);
}
