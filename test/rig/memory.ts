import { readFileSync } from "node:fs";

/** The most that a process ever had resident, in megabytes; only Linux says so. */
export function peakMegabytes(pid: number): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (peak === undefined) throw new Error(`Cannot tell the memory of process ${pid}`);
  return Number(peak) / 1024;
}

/** What a process has resident now, in megabytes; only Linux says so. */
export function residentMegabytes(pid: number): number {
  const now = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (now === undefined) throw new Error(`Cannot tell the memory of process ${pid}`);
  return Number(now) / 1024;
}
