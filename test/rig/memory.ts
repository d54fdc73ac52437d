import { readFileSync } from "node:fs";

/** The most that a process ever had resident, in megabytes; only Linux says so. */
export function peakMegabytes(pid: number): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (peak === undefined) throw new Error(`Cannot tell the memory of process ${pid}`);
  return Number(peak) / 1024;
}
