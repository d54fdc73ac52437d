import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runTests } from "./run-tests.ts";

/**
 * `npm run soak [-- --short]`: the long runs in test/soak, which watch memory and descriptors. A soak reads how long it
 * may take from the environment: COUNTERSIGN_SOAK is `short` (a minute at most, for CI) or `long`.
 */
const { values } = parseArgs({ options: { short: { type: "boolean", default: false } } });
process.env["COUNTERSIGN_SOAK"] = values.short ? "short" : "long";

const folder = resolve(import.meta.dirname, "../test/soak");
const soaks = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
if (!soaks.some((file) => file.endsWith(".soak.ts")))
  console.log("There is no soak test: test/soak holds no *.soak.ts");
else if (!(await runTests("soak", "vitest.soak.config.ts", []))) process.exitCode = 1;
