import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Prints the sum of all reports of this run, as `N passed, N failed`. */
export function tally(folder: string): { readonly passed: number; readonly failed: number } {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  const counts = files.map((name) => countsOf(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    // Tests that could not even report did not pass.
    failed: counts.reduce((sum, { failed }) => sum + failed, files.includes("tests.json") ? 0 : 1),
  };
}

/** What `tally` reads of the report that vitest calls `json`. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

function countsOf({ numPassedTests, numFailedTests, testResults }: Report): { passed: number; failed: number } {
  // A file that could not be loaded has failed without a test that did.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

if (import.meta.main) {
  const { passed, failed } = tally(resolve(import.meta.dirname, "../reports"));
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
