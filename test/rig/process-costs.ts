import { readFileSync } from "node:fs";

/** The most that a process ever had resident, in megabytes; only Linux says so. */
export function peakMegabytes(pid: number): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (peak === undefined) throw new Error(`Cannot tell the memory of process ${pid}`);
  return Number(peak) / 1024;
}

/** Milliseconds of processor time that a process has taken so far; only Linux says so. */
export function processorMilliseconds(pid: number): number {
  // The name of the program, in parentheses, may hold anything; the fields behind it are numbers. One tick is 10 ms.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (Number.isNaN(ticks)) throw new Error(`Cannot tell the processor time of process ${pid}`);
  return ticks * 10;
}
