import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { RawHost } from "./raw-host.ts";

const root = resolve(import.meta.dirname, "../..");

/** The command under test: what `node tools/build.ts` made, unless the environment names another build of it. */
const bin = process.env["COUNTERSIGN_BIN"] ?? join(root, "packages/gate/dist/bin.js");

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of one test's own. What is run in it knows no other ledger, config or home. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file, text as it is and anything else as JSON; returns its path. */
  write(name: string, content: unknown): string;
  /** The command line that guards a server. */
  guarded(server: string, command: readonly string[]): readonly string[];
  /** The command line of Countersign itself. */
  command(...args: readonly string[]): readonly string[];
  /** Starts a command, and is its host until the place is closed. */
  host(command: readonly string[], env?: Readonly<Record<string, string>>): RawHost;
  /** Runs a command of Countersign to its end, with no terminal and nothing on its input. */
  countersign(...args: readonly string[]): Promise<Ended>;
  /** Ends the hosts that are left, and takes the folder away. */
  close(): Promise<void>;
}

/** Somebody has to call `close`. */
export function openPlace(): Place {
  if (!existsSync(bin)) throw new Error(`Cannot test ${bin}: it is not there; run node tools/build.ts first`);
  const folder = mkdtempSync(join(tmpdir(), "countersign-"));
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: join(folder, "home"),
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
    NO_COLOR: "1",
  };
  mkdirSync(env.HOME);
  const hosts: RawHost[] = [];
  return {
    folder,
    env,
    write(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
      return path;
    },
    guarded: (server, command) => [process.execPath, bin, "run", server, "--", ...command],
    command: (...args) => [process.execPath, bin, ...args],
    host(command, more = {}) {
      const host = new RawHost(command, { cwd: folder, env: { ...env, ...more } });
      hosts.push(host);
      return host;
    },
    async close() {
      await Promise.all(hosts.map((host) => host.end()));
      rmSync(folder, { recursive: true, force: true });
    },
    countersign: (...args) =>
      new Promise((resolve) => {
        const child = execFile(process.execPath, [bin, ...args], { env, cwd: folder }, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        });
        child.stdin?.end();
      }),
  };
}

/** A program of test/fixtures, as a command line. */
export function fixture(name: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, join(root, "test/fixtures", name), ...args];
}

/** A server that the repository depends on, as a command line. */
export function installed(name: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, join(root, "node_modules/.bin", name), ...args];
}
