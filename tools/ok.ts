import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * `npm run ok`: all that must hold before a change is handed on. Stops at the first step that fails.
 * `-- --no-tests` leaves the tests out.
 */
const root = resolve(import.meta.dirname, "..");

const steps: readonly (readonly [name: string, script: string, ...args: string[]])[] = [
  ["format and lint", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"],
  ["types", "node_modules/typescript/bin/tsc", "--project", "."],
  ["layers", "tools/check-layers.ts"],
  ["rule docs", "tools/check-rule-docs.ts"],
  ["patterns", "tools/check-patterns.ts"],
  ["coverage", "tools/check-coverage.ts"],
  ["config schema", "tools/check-config-schema.ts"],
  ["host docs", "tools/check-host-docs.ts"],
  ["unused", "node_modules/knip/bin/knip.js"],
  ["exports", "tools/check-exports.ts"],
  ["api docs", "node_modules/typedoc/bin/typedoc", "--emit", "none"],
  ["tests", "tools/test.ts"],
];

for (const [name, script, ...args] of steps) {
  if (name === "tests" && process.argv.includes("--no-tests")) continue;
  if (!existsSync(join(root, script))) {
    console.log(`-- ${name}: there is no ${script} yet`);
    continue;
  }
  const start = performance.now();
  const { status, signal } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (status !== 0) {
    console.error(`FAILED ${name} after ${seconds} (${signal ?? `exit ${status}`}): ${[script, ...args].join(" ")}`);
    process.exit(1);
  }
  console.log(`ok ${name}, ${seconds}`);
}
