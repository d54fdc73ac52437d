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

function report(name: string, numPassedTests: number, testResults: readonly unknown[] = []): void {
  writeFileSync(join(folder, name), JSON.stringify({ numPassedTests, testResults }));
}

test("tally() adds up all reports, and names what failed", () => {
  report("tests.json", 40, [
    {
      ...{ name: "a.test.ts", status: "failed", message: "" },
      assertionResults: [
        { status: "failed", fullName: "a of b", failureMessages: ["1 is not 2"] },
        { status: "passed", fullName: "a of c", failureMessages: [] },
      ],
    },
  ]);
  report("soak.json", 2, [
    { name: "b.soak.ts", status: "passed", message: "", assertionResults: [{ status: "passed" }] },
  ]);
  expect(tally(folder)).toEqual({ passed: 42, failed: 1, failures: ["a.test.ts: a of b\n1 is not 2"] });
});

test("tally() counts a file that failed before any of its tests did", () => {
  const assertionResults = [{ status: "skipped", fullName: "a", failureMessages: [] }];
  report("tests.json", 40, [{ name: "a.test.ts", status: "failed", message: "no such import", assertionResults }]);
  expect(tally(folder)).toEqual({ passed: 40, failed: 1, failures: ["a.test.ts: no such import"] });
});

test("tally() counts missing tests as a failure", () => {
  report("soak.json", 2);
  const failures = ["reports/tests.json: the tests have made no report"];
  expect(tally(folder)).toEqual({ passed: 2, failed: 1, failures });
  expect(tally(join(folder, "nowhere"))).toEqual({ passed: 0, failed: 1, failures });
});
