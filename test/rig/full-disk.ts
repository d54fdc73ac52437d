import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** A file system of its own that is small. */
export interface SmallDisk {
  readonly folder: string;
  /** Lets nobody write to it any more. */
  makeReadOnly(): void;
  unmount(): void;
}

/** Only root can mount one. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0 && mounts();

export function smallDisk(folder: string, kilobytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  mount("-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder);
  return {
    folder,
    makeReadOnly: () => mount("-o", "remount,ro", folder),
    unmount: () => void execFileSync("umount", ["--lazy", folder]),
  };
}

function mount(...args: readonly string[]): void {
  execFileSync("mount", args, { stdio: "pipe" });
}

/** A container's root may lack the right. */
function mounts(): boolean {
  try {
    execFileSync("unshare", ["--mount", "true"], { stdio: "pipe" });
    return true;
  } catch (error) {
    if (error instanceof Error && ("status" in error || "code" in error)) return false;
    throw error;
  }
}
