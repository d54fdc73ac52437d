import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { build } from "esbuild";
import { freePort } from "../test/rig/free-port.ts";
import { HttpClient } from "./http-client.ts";

/**
 * What stands between the hosts and the server. The server does next to nothing; of `sdk` it is one by the SDK, as most are; of
 * `stdio` it is a process, because the peers know no other.
 */
export type Arm =
  | "direct"
  | "byte proxy"
  | "countersign"
  | "direct, sdk"
  | "byte proxy, sdk"
  | "countersign, sdk"
  | "countersign, stdio"
  | "mcp-proxy, stdio"
  | "supergateway, stdio";

export interface Reached {
  readonly url: URL;
  /** Of the process in between; of the server itself where there is none. */
  readonly pid: number;
}

/** All that is measured, running side by side. */
export interface Stage {
  readonly reached: ReadonlyMap<Arm, Reached>;
  /** Ends all of it, and removes its folder. */
  clear(): Promise<void>;
}

/**
 * @param bin the bundled command
 * @param peers the folder in which the peers are installed, if they are to be measured
 */
export async function setStage(bin: string, peers: string | undefined): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const running: ChildProcess[] = [];
  const clear = async () => {
    await Promise.all(running.map(ended));
    rmSync(folder, { recursive: true, force: true });
  };
  const env = environmentIn(folder);
  const start = async (port: number, command: readonly string[]): Promise<number> => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"], cwd: folder });
    running.push(child);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2_000);
    });
    await untilListening(port, () => {
      if (child.exitCode !== null) throw new Error(`Cannot measure: ${command.join(" ")} ended; it said:\n${said}`);
    });
    return child.pid ?? 0;
  };
  const reached = new Map<Arm, Reached>();
  const reach = async (arm: Arm, path: string, command: (port: number) => readonly string[]): Promise<number> => {
    const port = await freePort();
    const pid = await start(port, command(port));
    reached.set(arm, { url: new URL(path, `http://127.0.0.1:${port}`), pid });
    return port;
  };
  const node = process.execPath;
  const script = (name: string) => join(folder, `${name}.mjs`);
  try {
    // Plain JavaScript, as the bundled command is.
    await build({
      entryPoints: ["byte-proxy", "http-server", "raw-server", "sdk-server"].map((name) =>
        join(import.meta.dirname, `${name}.ts`),
      ),
      ...{ outdir: folder, outExtension: { ".js": ".mjs" }, bundle: true, format: "esm", platform: "node" },
    });
    const server = await reach("direct", "/mcp", (port) => [node, script("http-server"), String(port)]);
    await reach("byte proxy", "/mcp", (port) => [node, script("byte-proxy"), String(port), String(server)]);
    const sdk = await reach("direct, sdk", "/mcp", (port) => [node, script("sdk-server"), String(port)]);
    await reach("byte proxy, sdk", "/mcp", (port) => [node, script("byte-proxy"), String(port), String(sdk)]);
    await reach("countersign", "/remote/mcp", (port) => {
      writeFileSync(
        join(folder, "gateway.jsonc"),
        JSON.stringify({
          gateway: { listen: `127.0.0.1:${port}`, anonymous: true },
          servers: {
            remote: { url: `http://127.0.0.1:${server}/mcp` },
            sdk: { url: `http://127.0.0.1:${sdk}/mcp` },
            local: { command: node, args: [script("raw-server")], share: "everyone" },
          },
        }),
      );
      return [node, bin, "gateway", "--config", join(folder, "gateway.jsonc")];
    });
    const gateway = reached.get("countersign");
    if (gateway === undefined) throw new Error("Cannot measure: no gateway");
    reached.set("countersign, sdk", { ...gateway, url: new URL("/sdk/mcp", gateway.url) });
    reached.set("countersign, stdio", { ...gateway, url: new URL("/local/mcp", gateway.url) });
    for (const name of ["remote", "sdk", "local"]) {
      await approve(name, new URL(`/${name}/mcp`, gateway.url), [node, bin], env);
    }
    if (peers !== undefined) {
      await reach("mcp-proxy, stdio", "/mcp", (port) => [
        ...[node, join(peers, "node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs"), "--host", "127.0.0.1"],
        ...["--port", String(port), "--server", "stream", "--", node, script("raw-server")],
      ]);
      await reach("supergateway, stdio", "/mcp", (port) => [
        ...[node, join(peers, "node_modules/supergateway/dist/index.js"), "--port", String(port)],
        ...["--stdio", `${node} ${script("raw-server")}`, "--outputTransport", "streamableHttp"],
        ...["--stateful", "--logLevel", "none"],
      ]);
    }
    return { reached, clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Lets a server be sighted through the gateway, and approves all of it. */
async function approve(server: string, url: URL, command: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const sighting = new HttpClient(url);
  await sighting.initialize();
  await setTimeout(200);
  sighting.close();
  const offer = ran([...command, "status", server, "--offer"], env).trim();
  ran([...command, "approve", server, "--offer", offer, "--yes"], env);
}

function ran([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot set the stage: ${args.slice(1).join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

async function untilListening(port: number, look: () => void): Promise<void> {
  const late = performance.now() + 20_000;
  for (;;) {
    look();
    if (await listens(port)) return;
    if (performance.now() > late) throw new Error(`Cannot measure: nothing listens on port ${port}`);
    await setTimeout(20);
  }
}

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.on("connect", () => {
    socket.destroy();
    resolve(true);
  });
  socket.on("error", () => resolve(false));
  return promise;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, "exit");
  child.kill("SIGTERM");
  const kill = globalThis.setTimeout(() => child.kill("SIGKILL"), 5_000);
  await over;
  clearTimeout(kill);
}

/** Neither the user's ledger nor the user's config, and nothing written outside the folder. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const { COUNTERSIGN_LEDGER: _, COUNTERSIGN_CONFIG: __, ...env } = process.env;
  return { ...env, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, LOCALAPPDATA: folder, APPDATA: folder };
}
