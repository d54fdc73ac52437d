import { homedir } from "node:os";
import type { Surroundings } from "./host.ts";

/** Of this process. A system that no host has files of its own for is taken for Linux. */
export function surroundingsHere(): Surroundings {
  const { platform } = process;
  const env = new Map(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  return {
    platform: platform === "win32" || platform === "darwin" ? platform : "linux",
    home: homedir(),
    cwd: process.cwd(),
    env,
  };
}
