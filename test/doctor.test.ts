import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe } from "vitest";
import { approve } from "./rig/approve.ts";
import { cloneIn } from "./rig/clone.ts";
import { eventually } from "./rig/eventually.ts";
import type { Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { test } from "./rig/test.ts";

interface Fact {
  readonly about: string;
  readonly code: string;
  readonly is: string;
  readonly text: string;
  readonly stderr?: readonly string[];
}

async function doctor(place: Pick<Place, "countersign">, ...args: readonly string[]) {
  const { code, stdout, stderr } = await place.countersign("doctor", "--json", ...args);
  if (stdout === "") throw new Error(`doctor said nothing: ${stderr}`);
  const { facts } = JSON.parse(stdout) as { facts: readonly Fact[] };
  return { code, facts, fact: (which: string) => facts.find((fact) => fact.code === which) };
}

function serving(...tools: readonly string[]) {
  return { initialize: [hello("tools")], "tools/list": [answer(`{"tools":[${tools.join(",")}]}`)] };
}

function ledgerOf(place: Place): string {
  return join(place.folder, "state/countersign/ledger.db");
}

function notesIn(place: Place): readonly string[] {
  const folder = join(place.folder, "state/countersign/runs");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

async function runningNote(place: Place): Promise<void> {
  await eventually(10_000, () => notesIn(place).some((name) => /^raw\.[0-9]+\.json$/.test(name)));
}

describe("doctor [ease.doctor]", { concurrent: true }, () => {
  test("finds nothing amiss where nothing has run yet, and makes nothing", async ({ place, expect }) => {
    const { code, facts } = await doctor(place);
    expect(code).toBe(0);
    expect(facts.map(({ code, is }) => [code, is])).toEqual([
      ["NODE", "well"],
      ["USER_CONFIG", "well"],
      ["NO_LEDGER", "well"],
    ]);
    expect(existsSync(join(place.folder, "state"))).toBe(false);
  });

  test("finds nothing amiss where all is approved and a host has listed it", async ({ place, expect }) => {
    const command = place.guarded("raw", scripted(place, serving(tool("a")), [], "server.json"));
    const first = place.host(command);
    await first.initialize();
    await first.end();
    await approve(place, "raw");
    const host = place.host(command);
    await host.initialize();
    await host.ask("tools/list");
    await runningNote(place);
    const { code, facts, fact } = await doctor(place);
    expect(facts.filter(({ is }) => is === "todo")).toEqual([]);
    expect(code).toBe(0);
    expect(fact("LEDGER")?.text).toMatch(/: its journal of [0-9]+ entries is sound, and it can be written to$/);
    expect(fact("RUNNING")?.text).toBe(`runs as pid ${host.pid}`);
    expect(fact("SEEN")?.text).toMatch(/^[0-9] definitions bound; last seen to change at 20/);
    if (process.platform === "linux") {
      expect(fact("LEDGER_OPEN")?.text).toBe(`open in pid ${host.pid} (node, countersign run raw)`);
    }
    const { stdout } = await place.countersign("doctor", "raw");
    expect(stdout).toContain(`ok    raw     runs as pid ${host.pid}\n`);
    await host.end();
    expect(notesIn(place)).toEqual(["raw.last.json"]);
    expect((await doctor(place)).fact("ENDED")?.text).toMatch(/it ended as it should$/);
  });

  test("says what is held until somebody decides", async ({ place, expect }) => {
    const host = place.host(place.guarded("raw", scripted(place, serving(tool("a"), tool("b")))));
    await host.initialize();
    await host.end();
    const { code, fact } = await doctor(place, "raw");
    expect(code).toBe(2);
    expect(fact("WAITING")?.text).toMatch(
      /^[0-9] definitions are held until somebody decides; run countersign review raw$/,
    );
  });

  test("says that the launch is held, and that a host has to reconnect after it was approved", async ({
    place,
    expect,
  }) => {
    const before = place.host(place.guarded("raw", scripted(place, serving(tool("a")), [], "one.json")));
    await before.initialize();
    await before.end();
    await approve(place, "raw");
    const held = place.host(place.guarded("raw", scripted(place, serving(tool("a")), [], "two.json")));
    held.send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } });
    await held.answerTo(1);
    await runningNote(place);
    const { code, fact } = await doctor(place, "raw");
    expect(code).toBe(2);
    expect(fact("LAUNCH_HELD")?.text).toMatch(
      /^not started: it would not be reached as it was approved to be, so [0-9]/,
    );
    await approve(place, "raw");
    expect((await doctor(place, "raw")).fact("RECONNECT")?.text).toBe(
      `the host of pid ${held.pid} was refused before its launch was approved; reconnect it`,
    );
  });

  test("says how the server ended, and its last words only where they may be shown", async ({ place, expect }) => {
    const last = "no licence found \u001b[2J";
    const steps = [{ stderr: "starting\n" }, { stderr: `${last}\n` }, { exit: 1 }];
    const host = place.host(place.guarded("raw", scripted(place, { start: steps })));
    host.send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } });
    expect((await host.exit).code).toBe(1);
    const { code, facts, fact } = await doctor(place, "raw");
    expect(code).toBe(2);
    expect(fact("EXITED")?.text).toMatch(
      /^the last time it ran, until 20[^ ]+, the server exited with code 1 before it answered anything; its last 2 lines on stderr: --text$/,
    );
    expect(JSON.stringify(facts)).not.toContain("licence");
    const shown = await doctor(place, "raw", "--text");
    expect(shown.fact("EXITED")?.stderr).toEqual(["starting", "no licence found ⟦U+001B⟧[2J"]);
    expect((await place.countersign("log")).stdout).not.toContain("licence");
    const note = join(place.folder, "state/countersign/runs/raw.last.json");
    expect(statSync(note).mode & 0o777).toBe(0o600);
  });

  test("keeps a bounded number of last words", async ({ place, expect }) => {
    const lines = Array.from({ length: 500 }, (_, index) => ({ stderr: `${index} ${"x".repeat(2_000)}\n` }));
    const host = place.host(place.guarded("raw", scripted(place, { start: [...lines, { exit: 3 }] })));
    await host.exit;
    const note = join(place.folder, "state/countersign/runs/raw.last.json");
    expect(statSync(note).size).toBeLessThan(6_000);
    expect((await doctor(place, "raw", "--text")).fact("EXITED")?.stderr?.at(-1)).toMatch(/^499 x+$/);
  });

  test("says that the command was not found", async ({ place, expect }) => {
    const host = place.host(place.guarded("raw", ["no-such-command"]));
    expect((await host.exit).code).toBe(127);
    expect((await doctor(place, "raw")).fact("NOT_STARTED")?.text).toMatch(
      /could not be started \(ENOENT\); check its command and the PATH of the host$/,
    );
  });

  test("says that a host has not listed again since a decision", async ({ place, expect }) => {
    const host = place.host(place.guarded("raw", scripted(place, serving(tool("a")))));
    await host.initialize();
    await host.ask("tools/list");
    await runningNote(place);
    await approve(place, "raw");
    const says = async () => (await doctor(place, "raw")).fact("RECONNECT")?.text;
    const text = `the host of pid ${host.pid} has not asked for tools/list again since the last decision; reconnect it`;
    expect(await eventually(15_000, async () => (await says()) === text)).toBeLessThan(15_000);
    await host.ask("tools/list");
    expect(await eventually(10_000, async () => (await says()) === undefined)).toBeLessThan(10_000);
    expect((await doctor(place, "raw")).fact("RUNNING")?.text).toBe(`runs as pid ${host.pid}`);
  });

  test("names the process that keeps the ledger locked", async ({ place, expect }) => {
    const host = place.host(place.guarded("raw", scripted(place, serving(tool("a")))));
    await host.initialize();
    const locking = spawn(
      process.execPath,
      [
        "-e",
        `const { DatabaseSync } = require("node:sqlite");
        new DatabaseSync(process.argv[1]).exec("BEGIN IMMEDIATE");
        console.log("locked");
        setInterval(() => {}, 1000);`,
        ledgerOf(place),
      ],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    await once(locking.stdout, "data");
    const { code, fact } = await doctor(place);
    locking.kill("SIGKILL");
    expect(code).toBe(2);
    const text = fact("LEDGER_LOCKED")?.text ?? "";
    expect(text).toContain("database is locked");
    if (process.platform === "linux") expect(text).toContain(`; locked by pid ${locking.pid} (node)`);
    expect(text).not.toContain(`pid ${host.pid}`);
    await once(locking, "exit");
    expect((await doctor(place)).fact("LEDGER")?.is).toBe("well");
  });

  test("says what is wrong with a ledger that cannot be opened", async ({ place, expect }) => {
    await place.countersign("status");
    const database = new DatabaseSync(ledgerOf(place));
    database.exec("PRAGMA user_version = 99");
    database.close();
    const newer = await doctor(place);
    expect(newer.code).toBe(2);
    expect(newer.fact("LEDGER_NEWER")?.text).toContain("a newer Countersign wrote it");
    for (const end of ["-wal", "-shm"]) rmSync(`${ledgerOf(place)}${end}`, { force: true });
    writeFileSync(ledgerOf(place), Buffer.alloc(8_192, "x"));
    expect((await doctor(place)).fact("LEDGER_CORRUPT")?.text).toContain("file is not a database");
  });

  test("says that Node moved", async ({ place, expect }) => {
    const [node = "", ...rest] = place.guarded("raw", scripted(place, serving(tool("a"))));
    const moved = join(place.folder, "node");
    copyFileSync(node, moved);
    const host = place.host([moved, ...rest]);
    await host.initialize();
    await host.end();
    rmSync(moved);
    expect((await doctor(place, "raw")).fact("MOVED")?.text).toBe(
      `Node moved: the one that last ran it is gone, "${moved}"; where a host's config names that, write "${process.execPath}"`,
    );
  });

  test("says which config counts, and what of a project's does not", async ({ place, expect }) => {
    const clone = cloneIn(place);
    const config = clone.write("countersign.jsonc", { servers: { raw: { trusted: true } } });
    const untrusted = await doctor(clone);
    expect(untrusted.code).toBe(2);
    expect(untrusted.fact("PROJECT_CONFIG_NOT_TRUSTED")?.text).toContain(`servers.raw.trusted = true of "${config}"`);
    await clone.countersign("trust", "--yes");
    expect((await doctor(clone)).fact("PROJECT_CONFIG")?.text).toBe(
      `"${config}" of this project counts, and is trusted`,
    );
    clone.write("countersign.jsonc", "{");
    expect((await doctor(clone)).fact("CONFIG_BROKEN")?.text).toContain("nothing is allowed until it is mended");
    rmSync(config);
    place.write("config/countersign/countersign.jsonc", { trusted: true });
    const { stdout } = await place.countersign("doctor");
    expect(stdout).toMatch(/^todo {2}config {2}Cannot use config .*: Unrecognized key: "trusted"$/m);
    const shipped = clone.write("ledger.db", "");
    expect((await doctor(clone, "--ledger", shipped)).fact("LEDGER_NOT_TRUSTED")?.text).toContain(
      "it lies in a repository",
    );
  });

  test("says of a server that was never run", async ({ place, expect }) => {
    const { code, fact } = await doctor(place, "nobody");
    expect(code).toBe(2);
    expect(fact("NEVER_RUN")?.about).toBe("nobody");
  });

  test("knows a guard that was killed, and the next one takes its note away", async ({ place, expect }) => {
    const command = place.guarded("raw", scripted(place, serving(tool("a")), [], "server.json"));
    const host = place.host(command);
    await host.initialize();
    await runningNote(place);
    host.kill("SIGKILL");
    await host.exit;
    expect((await doctor(place, "raw")).fact("GUARD_KILLED")?.text).toContain(`pid ${host.pid}`);
    const next = place.host(command);
    await next.initialize();
    await eventually(10_000, () => notesIn(place).includes(`raw.${next.pid}.json`));
    expect(notesIn(place)).toEqual([`raw.${next.pid}.json`]);
  });

  test("a note that cannot be written changes nothing else", async ({ place, expect }) => {
    place.write("state/countersign/runs", "in the way");
    const host = place.host(place.guarded("raw", scripted(place, serving(tool("a")))));
    await host.initialize();
    await host.says("cannot keep a note for countersign doctor");
    expect((await host.ask("tools/list")).result?.tools).toEqual([]);
    expect((await host.end()).code).toBe(0);
    expect((await doctor(place)).fact("LEDGER")?.is).toBe("well");
    expect(host.stderr.split("cannot keep a note")).toHaveLength(2);
    expect(readFileSync(join(place.folder, "state/countersign/runs"), "utf8")).toBe("in the way");
  });
});
