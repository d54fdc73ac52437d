import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Characters of one failure that are printed. */
const mostOfOne = 2_000;

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** What failed and how: a file, a test and a message, which may have several lines. */
  readonly failures: readonly string[];
}

/** The sum of all reports of this run. */
export function tally(folder: string): Tally {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  const reports = files.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Report);
  const failures = reports.flatMap(({ testResults }) => testResults.flatMap(failuresIn));
  // Tests that could not even report did not pass.
  if (!files.includes("tests.json")) failures.unshift("reports/tests.json: the tests have made no report");
  return {
    passed: reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0),
    failed: failures.length,
    failures,
  };
}

/** What `tally` reads of the report that vitest calls `json`. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

function failuresIn({ name, status, message, assertionResults }: FileResult): readonly string[] {
  const failed = assertionResults.filter((assertion) => assertion.status === "failed");
  // A file that could not be loaded has failed without a test that did.
  if (status === "failed" && failed.length === 0) return [`${name}: ${message}`];
  return failed.map(({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages.join("\n")}`);
}

if (import.meta.main) {
  const { passed, failed, failures } = tally(resolve(import.meta.dirname, "../reports"));
  // At the end, where whoever sees only the end of a long log finds them.
  for (const failure of failures) console.log(`\nFAILED ${failure.slice(0, mostOfOne)}`);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
