import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * The command lines of all running processes that hold a text, a test's own folder for instance. Those that are dead and
 * only not waited for are left out.
 */
export function processesWith(text: string): readonly string[] {
  const all = process.platform === "linux" ? fromProc() : fromPs();
  return all.filter((args) => args.includes(text));
}

/** Waits until no such process is left. Returns those that are still there after so many milliseconds. */
export async function leftAfter(milliseconds: number, text: string): Promise<readonly string[]> {
  const late = Date.now() + milliseconds;
  for (;;) {
    const left = processesWith(text);
    if (left.length === 0 || Date.now() > late) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A minimal Debian has no `ps`. */
function fromProc(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .map((pid) => {
      try {
        // Empty for a process that is dead but for being waited for.
        return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")}`;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" || code === "ESRCH") return ""; // it ended while we looked
        throw error;
      }
    });
}

function fromPs(): readonly string[] {
  const table = execFileSync("ps", ["-axo", "pid=,stat=,args="], { encoding: "utf8" });
  return table.split("\n").filter((line) => !/^\s*\d+\s+Z/.test(line));
}
