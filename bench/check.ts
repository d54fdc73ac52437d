import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { median } from "./figures.ts";
import { lockfileOf } from "./lock-captures.ts";

/**
 * `check.ts --captures <folder>`: locks all that was captured, and takes the time of `countersign check` on it: processes that
 * begin, read the lockfile and the captures, compare, and print.
 */
const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    captures: { type: "string", default: "" },
    runs: { type: "string", default: "7" },
    bin: { type: "string", default: join(root, "packages/gate/dist/bin.js") },
  },
});
if (!existsSync(values.captures) || !existsSync(values.bin)) {
  process.stderr.write(
    "Cannot measure check: give --captures <folder>, and build the command with node tools/build.ts\n",
  );
  process.exit(3);
}
const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const lockfile = join(folder, "countersign.lock");
const text = await lockfileOf(values.captures);
writeFileSync(lockfile, text);

const before = loadavg()[0] ?? 0;
const rows = [
  { what: "check", words: [] },
  { what: "check --all", words: ["--all", "--fail-on", "never"] },
].map(({ what, words }) => ({
  what,
  times: Array.from({ length: Number(values.runs) }, () => {
    const start = performance.now();
    const args = ["check", lockfile, "--offers", values.captures, ...words];
    const { status, stdout } = spawnSync(process.execPath, [values.bin, ...args], { cwd: folder, encoding: "utf8" });
    if (status !== 0)
      throw new Error(`Cannot measure ${what}: exit ${status}, ${stdout.split("\n").slice(-2).join("")}`);
    return performance.now() - start;
  }),
}));
rmSync(folder, { recursive: true });

const load = `load ${before.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`;
const lines = text.split("\n");
const definitions = lines.filter((line) => / received cs1:/.test(line)).length;
process.stdout.write(
  `Node ${process.version}, ${availableParallelism()} cores, ${load}\n\n` +
    `${definitions} definitions, a lockfile of ${lines.length - 1} lines and ${(text.length / 1e6).toFixed(1)} MB, ms from start to end\n` +
    `  ${"".padEnd(14)}${"median".padStart(10)}${"best".padStart(10)}\n` +
    rows
      .map(
        ({ what, times }) =>
          `  ${what.padEnd(14)}${median(times).toFixed(0).padStart(10)}${Math.min(...times)
            .toFixed(0)
            .padStart(10)}\n`,
      )
      .join(""),
);
