import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";
import { Connection } from "./connection.ts";

export const servers = ["raw", "memory"] as const;
export type Server = (typeof servers)[number];

/** What stands between the host and the server. A config costs its reader; one of them leaves the load checkpoint out. */
export const arms = ["direct", "relay", "countersign", "with config", "without load checkpoint"] as const;
export type Arm = (typeof arms)[number];

/** A folder with all that is measured: programs bundled, both servers approved in a ledger of their own. */
export interface Stage {
  connect(server: Server, arm: Arm): Connection;
  /** Removes the folder. */
  clear(): void;
}

const root = resolve(import.meta.dirname, "..");

/** @param bin the bundled command */
export async function setStage(bin: string): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  try {
    // Plain JavaScript, as the bundled command is: stripping types takes longer than all that the relay does.
    await build({
      entryPoints: ["relay", "raw-server"].map((name) => join(import.meta.dirname, `${name}.ts`)),
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      format: "esm",
      platform: "node",
    });
    writeFileSync(join(folder, "load.jsonc"), '{ "checkpoints": { "load": true } }\n');
    writeFileSync(join(folder, "no-load.jsonc"), '{ "checkpoints": { "load": false } }\n');
    const commands: Readonly<Record<Server, readonly string[]>> = {
      raw: [process.execPath, join(folder, "raw-server.mjs")],
      memory: [process.execPath, join(root, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")],
    };
    const env = environmentIn(folder);
    const run = (server: Server, ...options: readonly string[]) => [
      ...[process.execPath, bin, "run", server, ...options, "--"],
      ...commands[server],
    ];
    const commandOf = (server: Server, arm: Arm): readonly string[] => {
      switch (arm) {
        case "direct":
          return commands[server];
        case "relay":
          return [process.execPath, join(folder, "relay.mjs"), ...commands[server]];
        case "countersign":
          return run(server);
        case "with config":
          return run(server, "--config", join(folder, "load.jsonc"));
        case "without load checkpoint":
          return run(server, "--config", join(folder, "no-load.jsonc"));
      }
    };
    for (const server of servers) await approve(server, run(server), bin, env);
    return { connect: (server, arm) => new Connection(commandOf(server, arm), env), clear };
  } catch (error) {
    clear();
    throw error;
  }
}

/** Lets a server be sighted, and approves all of it. */
async function approve(server: Server, command: readonly string[], bin: string, env: NodeJS.ProcessEnv): Promise<void> {
  const sighting = new Connection(command, env);
  await sighting.initialize();
  await sighting.ask("tools/list", "{}");
  await setTimeout(100);
  await sighting.close();
  const offer = countersign([bin, "status", server, "--offer"], env).trim();
  countersign([bin, "approve", server, "--offer", offer, "--yes"], env);
}

function countersign(words: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: "utf8" });
  if (status !== 0)
    throw new Error(`Cannot set the stage: ${words.slice(1).join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Neither the user's ledger nor the user's config, and nothing written outside the folder. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const { COUNTERSIGN_LEDGER: _, COUNTERSIGN_CONFIG: __, ...env } = process.env;
  const places = { XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, LOCALAPPDATA: folder, APPDATA: folder };
  return { ...env, ...places, MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
}
