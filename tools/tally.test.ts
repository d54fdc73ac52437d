import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tally } from "./tally.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reports-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function report(
  name: string,
  numPassedTests: number,
  numFailedTests: number,
  testResults: readonly unknown[] = [],
): void {
  writeFileSync(join(folder, name), JSON.stringify({ numPassedTests, numFailedTests, testResults }));
}

test("tally() adds up all reports", () => {
  report("tests.json", 40, 1, [{ status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] }]);
  report("soak.json", 2, 0, [{ status: "passed", assertionResults: [{ status: "passed" }] }]);
  expect(tally(folder)).toEqual({ passed: 42, failed: 1 });
});

test("tally() counts a file that failed before any of its tests did", () => {
  report("tests.json", 40, 0, [{ status: "failed", assertionResults: [{ status: "skipped" }] }]);
  expect(tally(folder)).toEqual({ passed: 40, failed: 1 });
});

test("tally() counts missing tests as a failure", () => {
  report("soak.json", 2, 0);
  expect(tally(folder)).toEqual({ passed: 2, failed: 1 });
  expect(tally(join(folder, "nowhere"))).toEqual({ passed: 0, failed: 1 });
});
