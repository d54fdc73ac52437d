import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { Place } from "./rig/place.ts";
import { atTerminal } from "./rig/terminal.ts";
import { test } from "./rig/test.ts";

const root = resolve(import.meta.dirname, "..");
const bin = process.env["COUNTERSIGN_BIN"] ?? join(root, "packages/gate/dist/bin.js");
const poisoned = [process.execPath, join(root, "demo/poisoned-server.ts")];
const behind = [process.execPath, join(root, "demo/changed-server.ts"), "--", ...poisoned];
const note = "script(1) of util-linux is not here; install it, as in: apt-get install bsdutils";
const missing = !existsSync("/usr/bin/script");

/** A host comes, sees, and goes; so the ledger has sighted the server. Returns the tools that it saw. */
async function visit(
  place: Place,
  command: readonly string[],
  ...changes: readonly string[]
): Promise<readonly string[]> {
  const host = place.host(place.guarded("tools", command), { CHANGED_SERVER: JSON.stringify(changes) });
  await host.initialize();
  const { result } = await host.ask("tools/list");
  await host.end();
  return result?.tools?.map(({ name }) => name) ?? [];
}

function review(place: Place, answers: readonly string[]) {
  return atTerminal([process.execPath, bin, "review", "tools"], { ...place.env }, ["[q] quit "], answers);
}

test("[review.first-sight] Enter approves what is clean, and stops at every finding", async ({ place, skip }) => {
  skip(missing, note);
  await visit(place, poisoned);
  const { screen, code } = await review(place, ["", "y", "r", "a"]);
  expect(screen).toContain("tools: 6 definitions at first sight");
  expect(screen).toContain("Approve these 3 definitions of tools, in which nothing was found?");
  expect(screen).toContain("approved 3 definitions");
  expect(screen).toContain("html-comment (refuse) at /description");
  expect(screen).toContain("Reads a configuration file.⟦U+000A⟧<!--");
  expect(screen).toContain("rejected 1 definition");
  expect(screen).toContain("4 approved, 1 rejected, 1 left waiting");
  expect(code).toBe(2);
  expect(await visit(place, poisoned)).toEqual(["summarize_text", "count_words"]);
});

test("[review.drift] a change is shown side by side, with what hides in it, and needs a key of its own", async ({
  place,
  skip,
}) => {
  skip(missing, note);
  await visit(place, behind);
  await review(place, ["", "q"]);
  expect(await visit(place, behind)).toEqual(["count_words"]);
  const after = ["--tool", "count_words", "--mutate", "/description", "--value", "Counts the wor\u00adds of a text."];
  expect(await visit(place, behind, ...after)).toEqual([]);
  const skipped = await review(place, ["q"]);
  expect(skipped.screen).toMatch(/- …?Counts the words of a text\. +\| \+ …?Counts the wor⟦U\+00AD⟧ds of a text\./);
  expect(await visit(place, behind, ...after)).toEqual([]);
});

test("[review.launch] a changed launch is one decision, with what changed of it", async ({ place, skip }) => {
  skip(missing, note);
  await visit(place, poisoned);
  await review(place, ["", "q"]);
  const before = await visit(place, poisoned);
  const more = [...poisoned, "--port=8080", "--token=hunter2"];
  expect(await visit(place, more)).toEqual([]);
  const { screen } = await review(place, ["a", "q"]);
  expect(screen).toContain("LAUNCH_CHANGED, 2 changes since it was approved");
  expect(screen).toContain("changed-contract at /args/1");
  expect(screen).toMatch(/- \(absent\) +\| \+ --port=8080/);
  expect(screen).toContain("[a] approve the change");
  expect(screen).toContain("approved 1 definition; reconnect the host");
  expect(screen).not.toContain("hunter2");
  expect(await visit(place, more)).toEqual(before);
});

test("[review.hang-up] a terminal that goes away approves nothing", async ({ place, skip }) => {
  skip(missing, note);
  await visit(place, poisoned);
  const { screen } = await review(place, []);
  expect(screen).not.toContain("approved 3");
  expect(await visit(place, poisoned)).toEqual([]);
});
