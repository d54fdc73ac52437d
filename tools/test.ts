import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installPrograms } from "./install-programs.ts";
import { runTests } from "./run-tests.ts";

/** `npm test [-- part-of-a-file-name...]`: builds the command, then runs the unit tests and then the system tests. */
const cwd = resolve(import.meta.dirname, "..");
installPrograms();
const { status } = spawnSync(process.execPath, ["tools/build.ts"], { cwd, stdio: "inherit" });
if (status !== 0 || !(await runTests("tests", "vitest.config.ts", process.argv.slice(2)))) process.exitCode = 1;
