import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Surroundings } from "../host.ts";

/** A machine of any platform below a temporary folder of this one. */
export interface FixtureHome {
  readonly surroundings: Surroundings;
  /** Where a path of that machine is on this one. */
  readonly locate: (path: string) => string;
  readonly write: (path: string, content: string | Uint8Array) => void;
  readonly close: () => void;
}

export function fixtureHome(
  platform: Surroundings["platform"],
  env: Readonly<Record<string, string>> = {},
): FixtureHome {
  const root = mkdtempSync(join(tmpdir(), "countersign-home-"));
  const locate = (path: string) => join(root, path.replaceAll("\\", "/").replace(":", ""));
  return {
    surroundings: { platform, ...places[platform], env: new Map(Object.entries(env)) },
    locate,
    write(path, content) {
      mkdirSync(dirname(locate(path)), { recursive: true });
      writeFileSync(locate(path), content);
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

const places = {
  linux: { home: "/home/me", cwd: "/home/me/work/app" },
  darwin: { home: "/Users/me", cwd: "/Users/me/work/app" },
  win32: { home: "C:\\Users\\me", cwd: "C:\\Users\\me\\work\\app" },
} as const;
