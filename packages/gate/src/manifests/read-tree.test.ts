import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTree } from "./read-tree.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-tree-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("readTree()", () => {
  test("reads all files by their paths, in one order, and links as they are written", () => {
    mkdirSync(join(folder, "b/.hidden"), { recursive: true });
    writeFileSync(join(folder, "b/.hidden/x"), "1");
    writeFileSync(join(folder, "a"), "2");
    symlinkSync("../a", join(folder, "b/link"));
    const reading = readTree(folder);
    if (reading.is === "refused") throw new Error(reading.problem.code);
    expect(reading.value.files.map(({ path, bytes }) => [path, String(bytes)])).toEqual([
      ["a", "2"],
      ["b/.hidden/x", "1"],
    ]);
    expect(reading.value.links).toEqual([{ path: "b/link", link: "../a" }]);
  });

  test.each([["../outside"], ["/etc/passwd"], ["b/../../c"]])("refuses a link to %s [manifest.tree]", (target) => {
    symlinkSync(target, join(folder, "link"));
    expect(readTree(folder)).toMatchObject({ is: "refused", problem: { code: "LINK_LEAVES", at: "link" } });
  });

  test("refuses a pipe without waiting for it [manifest.tree]", ({ skip }) => {
    skip(process.platform === "win32", "there are no such pipes on Windows");
    execFileSync("mkfifo", [join(folder, "pipe")]);
    expect(readTree(folder)).toMatchObject({ is: "refused", problem: { code: "ODD_FILE", at: "pipe" } });
  });

  test("refuses a file that is too large, without reading it [manifest.tree]", () => {
    writeFileSync(join(folder, "large"), "");
    truncateSync(join(folder, "large"), 65 * 1024 * 1024);
    expect(readTree(folder)).toMatchObject({ is: "refused", problem: { code: "TOO_LARGE", at: "large" } });
  });

  test("refuses more files than are read [manifest.tree]", () => {
    for (let index = 0; index < 2_001; index++) writeFileSync(join(folder, `f${index}`), "");
    expect(readTree(folder)).toMatchObject({ is: "refused", problem: { code: "TOO_MANY_FILES" } });
  });
});
