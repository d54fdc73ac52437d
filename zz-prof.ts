import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync, rmSync, mkdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { HttpClient } from "./bench/http-client.ts";
import { build } from "esbuild";
const f = "/tmp/gw/prof"; rmSync(f, { recursive: true, force: true }); mkdirSync(f, { recursive: true });
await build({ entryPoints: ["byte-proxy", "http-server", "raw-server"].map((n) => `bench/${n}.ts`), outdir: f, outExtension: { ".js": ".mjs" }, bundle: true, format: "esm", platform: "node" });
const env = { ...process.env, HOME: f, XDG_STATE_HOME: f, XDG_CONFIG_HOME: f };
const server = spawn(process.execPath, [`${f}/http-server.mjs`, "7501"], { stdio: "inherit" });
writeFileSync(`${f}/g.jsonc`, JSON.stringify({ gateway: { listen: "127.0.0.1:7502", anonymous: true }, servers: { remote: { url: "http://127.0.0.1:7501/mcp" }, local: { command: process.execPath, args: [`${f}/raw-server.mjs`], share: "everyone" } } }));
const bin = "packages/gate/dist/bin.js";
const gw = spawn(process.execPath, [...(process.env.PROF ? ["--cpu-prof", `--cpu-prof-dir=${f}/cpu`] : []), bin, "gateway", "--config", `${f}/g.jsonc`], { env, stdio: "inherit" });
writeFileSync(`${f}/exit.mjs`, "process.on(\"SIGINT\", () => process.exit(0));");
const proxy = spawn(process.execPath, ["--import", `${f}/exit.mjs`, ...(process.env.PROF ? ["--cpu-prof", `--cpu-prof-dir=${f}/cpup`] : []), `${f}/byte-proxy.mjs`, "7503", "7501"], { env, stdio: "inherit" });
await setTimeout(2500);
const path = process.argv[2] ?? "remote";
const s = new HttpClient(new URL(`http://127.0.0.1:7502/${path}/mcp`)); await s.initialize(); await setTimeout(300); s.close();
const off = spawnSync(process.execPath, [bin, "status", path, "--offer"], { env, encoding: "utf8" }).stdout.trim();
console.log(spawnSync(process.execPath, [bin, "approve", path, "--offer", off, "--yes"], { env, encoding: "utf8" }).stderr);
await setTimeout(800);
const ticks = (pid) => { const t = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" "); return (Number(t[11]) + Number(t[12])) * 10000; };
const total = {};
async function load(url, ms, pid) {
  const c0 = ticks(pid);
  const cs = []; for (let i = 0; i < 8; i++) { const c = new HttpClient(new URL(url)); await c.initialize(); cs.push(c); }
  let n = 0; const end = performance.now() + ms;
  await Promise.all(cs.map(async (c) => { while (performance.now() < end) { await c.ask("tools/call", '{"name":"repeat","arguments":{"length":1}}'); n++; } }));
  for (const c of cs) c.close();
  total[pid] = (total[pid] ?? 0) + n; return `${(n / ms * 1000).toFixed(0)}/s ${((ticks(pid) - c0) / n).toFixed(0)}us`;
}
for (let i = 0; i < 4; i++) console.log("proxy", await load("http://127.0.0.1:7503/mcp", 2000, proxy.pid), "gw", await load(`http://127.0.0.1:7502/${path}/mcp`, 3000, gw.pid));
gw.kill("SIGTERM"); proxy.kill("SIGINT"); console.log("calls", total[gw.pid], total[proxy.pid]); await setTimeout(1500); server.kill();
