/** `npm run bench -- <name> [options]`: one of the measurements in this folder. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const names = ["stdio", "offer", "check", "answer", "http"];
const [, , name = "", ...options] = process.argv;
if (names.includes(name)) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...options], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`Cannot measure "${name}": give one of ${names.join(", ")}, as in: npm run bench -- stdio\n`);
  process.exitCode = 3;
}
