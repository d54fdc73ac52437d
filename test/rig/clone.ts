import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Ended, Place } from "./place.ts";
import type { RawHost } from "./raw-host.ts";

/** A folder as `git clone` makes one, of whatever somebody has put into a repository. */
export interface Clone {
  readonly root: string;
  /** Writes a file of the repository; returns its path. */
  write(name: string, content: unknown): string;
  /** Runs a command of Countersign there, with no terminal and nothing on its input. */
  countersign(...args: readonly string[]): Promise<Ended>;
  /** Starts a command there, as a host does that was opened in the clone. */
  host(command: readonly string[], env?: Readonly<Record<string, string>>): RawHost;
}

export function cloneIn(place: Place, name = "clone"): Clone {
  const root = join(place.folder, name);
  mkdirSync(join(root, ".git"), { recursive: true });
  const [node = "", bin = ""] = place.guarded("any", []);
  return {
    root,
    write: (file, content) => place.write(join(name, file), content),
    host: (command, env) => place.host(["/bin/sh", "-c", 'cd "$0" && exec "$@"', root, ...command], env),
    countersign: (...args) =>
      new Promise((resolve) => {
        const child = execFile(node, [bin, ...args], { cwd: root, env: place.env }, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        });
        child.stdin?.end();
      }),
  };
}
