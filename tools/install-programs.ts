import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that tests start, and the Debian package that each is in. */
const programs: ReadonlyMap<string, string> = new Map([
  ["script", "bsdutils"],
  ["zsh", "zsh"],
  ["fish", "fish"],
  ["chromium", "chromium"],
]);

/**
 * Installs what is missing, as root on Debian. Elsewhere the tests that need it are skipped, and say so. A failure is said
 * and nothing more: in CI the skipped tests fail.
 */
export function installPrograms(): void {
  const missing = [...programs].flatMap(([program, inPackage]) => (isHere(program) ? [] : [inPackage]));
  if (missing.length === 0 || process.getuid?.() !== 0 || !isHere("apt-get")) return;
  console.log(`installing ${missing.join(", ")} for the tests`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", ...missing],
  ]) {
    const { status, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8" });
    if (status !== 0) console.error(`apt-get ${args.join(" ")} failed (exit ${status}): ${stderr}`);
  }
}

function isHere(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}
