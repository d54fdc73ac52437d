import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { approve } from "./approve.ts";
import type { Ended, Place } from "./place.ts";
import { answer, hello, scripted } from "./script.ts";

/** A project whose lockfile approves all of one server, which says what a script lets it say. */
export interface Locked {
  readonly root: string;
  readonly lockfile: string;
  /** Makes the server offer these tools from now on. */
  offer(...tools: readonly string[]): void;
  /** A host comes, sees, and goes. */
  visit(): Promise<void>;
  /** Runs Countersign in the project, with no terminal, in CI unless the variables say otherwise. */
  countersign(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
}

export async function lockedIn(place: Place, ...tools: readonly string[]): Promise<Locked> {
  const root = join(place.folder, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  const offer = (...now: readonly string[]) =>
    scripted(
      place,
      { initialize: [hello("tools")], "tools/list": [answer(`{"tools":[${now.join(",")}]}`)] },
      [],
      "project/server.json",
    );
  const command = offer(...tools);
  const [node = "", ...bin] = place.command();
  const locked: Locked = {
    root,
    lockfile: join(root, "countersign.lock"),
    offer: (...now) => void offer(...now),
    async visit() {
      const host = place.host(["/bin/sh", "-c", 'cd "$0" && exec "$@"', root, ...place.guarded("raw", command)]);
      await host.initialize();
      await host.ask("tools/list");
      await host.end();
    },
    countersign: (args, env = { CI: "true" }) =>
      new Promise((resolve) => {
        const options = { cwd: root, env: { ...place.env, ...env } };
        const child = execFile(node, [...bin, ...args], options, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        });
        child.stdin?.end();
      }),
  };
  await locked.visit();
  await approve(place, "raw");
  const { code, stderr } = await locked.countersign(["lock", "raw"]);
  if (code !== 0) throw new Error(`Cannot lock raw: exit ${code}, ${stderr}`);
  return locked;
}
