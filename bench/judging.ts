import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Judged } from "./judge-captures.ts";

/** About a quarter, a half and all of the captured lists, each in a process of its own: what it costs in the cold. */
export async function measureJudging(captures: string): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const every of [4, 2, 1]) {
    const script = join(import.meta.dirname, "judge-captures.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [script, captures, String(every)]);
    judged.push(JSON.parse(stdout));
  }
  return judged;
}
