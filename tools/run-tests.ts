import { join, resolve } from "node:path";
import { startVitest, type TestCase } from "vitest/node";

const root = resolve(import.meta.dirname, "..");

/**
 * Runs what a vitest configuration names, with a JSON report in `reports/<name>.json`, and then prints each test that was
 * skipped and how to run it: the note that the test gave to `skip(condition, note)`.
 *
 * @param config a file at the root
 * @param filters parts of test file paths; none for all
 * @returns whether all passed. In CI (environment `CI`) a skipped test has not passed.
 */
export async function runTests(name: string, config: string, filters: readonly string[]): Promise<boolean> {
  const vitest = await startVitest("test", [...filters], {
    root,
    config: join(root, config),
    watch: false,
    reporters: ["default", ["json", { outputFile: `reports/${name}.json` }]],
  });
  const modules = vitest.state.getTestModules();
  const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
  const failed = modules.filter((module) => module.state() === "failed");
  const stray = vitest.state.getUnhandledErrors();
  await vitest.close();

  for (const test of skipped)
    console.log(`Skipped ${test.module.relativeModuleId}: ${test.fullName}\n  ${howToRun(test)}`);
  if (modules.length === 0) console.error("No test file was run.");
  const forgiven = skipped.length === 0 || process.env["CI"] === undefined;
  if (!forgiven) console.error(`${skipped.length} skipped: in CI a skipped test is a failure.`);
  return modules.length > 0 && failed.length === 0 && stray.length === 0 && forgiven;
}

function howToRun(test: TestCase): string {
  const result = test.result();
  return (result.state === "skipped" ? result.note : undefined) ?? "It does not say how to run it.";
}
