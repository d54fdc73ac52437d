import { visible } from "@countersign/core";
import type { Fact } from "../fact.ts";
import type { Entry } from "../hosts/entry.ts";
import type { Surroundings } from "../hosts/host.ts";
import { readHosts } from "../hosts/read-hosts.ts";
import { sayApprovalAppears } from "../print/say-wrap.ts";
import { shownName, type View } from "../print/view.ts";
import { lastingPath } from "../wrapping/lasting-path.ts";
import { type Moved, mended, movedIn } from "../wrapping/moved.ts";
import { rewriteFiles } from "../wrapping/rewrite-files.ts";
import { type Found, foundEntries, isGuarded } from "../wrapping/select-entries.ts";
import { noteOf } from "./wrap.ts";

/** What the files of this machine's hosts say: what is not guarded, what a guard's entry names and is gone, when an approval appears. */
export async function entryFacts(
  only: string | undefined,
  surroundings: Surroundings,
  view: View,
): Promise<readonly Fact[]> {
  const { entries, problems } = await readHosts(surroundings);
  const found = foundEntries(entries).filter(({ server }) => only === undefined || server === only);
  const unread = problems.map(({ host, path, code, line }): Fact => {
    const place = line === undefined ? "" : ` at line ${line}`;
    const text = `"${visible(path)}" cannot be read${place} (${code}), so a server in it may be missing here`;
    return { about: host, code: "HOST_FILE_NOT_READ", is: "note", text };
  });
  const hosts = new Set(found.filter(isGuarded).flatMap(({ hosts }) => hosts));
  return [
    ...found.flatMap((one) => unguarded(one, view)),
    ...movedIn(found).map((moved) => movedFact(moved, view)),
    ...(only === undefined ? unread : []),
    ...[...hosts].map((host): Fact => {
      return { about: host, code: "APPROVAL_APPEARS", is: "well", text: sayApprovalAppears(noteOf(host)) };
    }),
  ];
}

function unguarded(found: Found, view: View): readonly Fact[] {
  const { entry, hosts } = found;
  if (isGuarded(found) || !entry.enabled) return [];
  const fact = (is: Fact["is"], code: string, why: string): Fact => {
    return { about: hosts.join(", "), code, is, text: `${placeOf(entry, view)} is not guarded${why}` };
  };
  switch (entry.reach.is) {
    case "remote":
      if (entry.reach.transport !== "ws") break;
      return [fact("note", "REMOTE_NOT_GUARDED", ": it is reached over a WebSocket, which is no transport of MCP's")];
    case "opaque":
      return [fact("note", "OPAQUE_NOT_GUARDED", `: what it starts cannot be known (${entry.reach.because})`)];
    case "stdio":
      break;
  }
  switch (entry.file.scope) {
    case "user":
      return [fact("todo", "NOT_GUARDED", `; run countersign wrap ${entry.host}`)];
    case "project":
    case "plugin":
      return [fact("todo", "NOT_GUARDED", `; run countersign wrap ${entry.host} --only with its name`)];
    case "managed":
      return [fact("note", "MANAGED_NOT_GUARDED", ": an administrator wrote it")];
  }
}

function movedFact({ found: { entry, hosts }, gone }: Moved, view: View): Fact {
  const paths = [...gone.values()].map((path) => `"${visible(path)}"`).join(" and ");
  const text = `${placeOf(entry, view)} cannot start: ${paths} ${gone.size === 1 ? "is" : "are"} gone; run countersign doctor --fix`;
  return { about: hosts.join(", "), code: "ENTRY_MOVED", is: "todo", text };
}

/** Whoever wrote the file chose the name. */
function placeOf({ name, file, line }: Entry, view: View): string {
  return `${shownName(name, view)} in "${visible(file.path)}":${line}`;
}

/**
 * Lets entries that name a Node or a Countersign that is gone name the ones that there are.
 *
 * @param ask shown what would be rewritten, one line each
 */
export async function fixMoved(
  surroundings: Surroundings,
  view: View,
  ask: (lines: readonly string[]) => Promise<boolean>,
): Promise<readonly Fact[]> {
  const { entries } = await readHosts(surroundings);
  const own = foundEntries(entries).filter(
    ({ entry }) => entry.file.scope === "user" || entry.file.scope === "project",
  );
  const moved = movedIn(own);
  if (moved.length === 0) return [];
  const now = { node: process.execPath, script: await lastingPath({ make: false }) };
  const lines = moved.map(({ found: { entry }, gone }) => {
    const paths = [...gone.values()].map((path) => `"${visible(path)}"`).join(" and ");
    return `${placeOf(entry, view)}: ${paths} ${gone.size === 1 ? "is" : "are"} gone; it would name "${visible(now.node)}" and "${visible(now.script)}"`;
  });
  if (!(await ask(lines))) return [];
  await lastingPath({ make: true });
  const rewrites = moved.map((one) => mended(one, now));
  const { refused } = await rewriteFiles(rewrites, { write: true });
  return moved.map(({ found: { entry, hosts } }): Fact => {
    const refusal = refused.get(entry);
    const about = hosts.join(", ");
    return refusal === undefined
      ? { about, code: "FIXED", is: "well", text: `${placeOf(entry, view)} names what there is now` }
      : { about, code: "NOT_FIXED", is: "todo", text: `${placeOf(entry, view)} was left alone: ${refusal.because}` };
  });
}
