import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { describe, expect } from "vitest";
import { approve } from "./rig/approve.ts";
import { fixture, installed, type Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { connect } from "./rig/sdk-host.ts";
import { serveSessions } from "./rig/session-server.ts";
import { atTerminal } from "./rig/terminal.ts";
import { test } from "./rig/test.ts";

const root = resolve(import.meta.dirname, "..");
const built = join(root, "packages/gate/dist");
const bin = process.env["COUNTERSIGN_BIN"] ?? join(built, "bin.js");
/** What lies in the system's folder for temporary files is copied to where it lasts; this clone may be there. */
const passes = realpathSync(bin).startsWith(realpathSync(tmpdir()) + sep);
const lasting: unknown = passes
  ? expect.stringMatching(/\/versions\/[0-9.]+-[0-9a-f]{12}\/countersign\/dist\/bin\.js$/)
  : realpathSync(bin);
const missing = !existsSync("/usr/bin/script");
const prompts = ["[q] quit ", "leave it as it is ", "leave it floating ", "leave the pages "];

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** As a host reads its own file, which holds no comment where this is used. */
function entriesIn(path: string): Readonly<Record<string, Entry>> {
  return (JSON.parse(readFileSync(path, "utf8")) as { mcpServers: Record<string, Entry> }).mcpServers;
}

function entry([command = "", ...args]: readonly string[], env?: Entry["env"]): Entry {
  return { command, args, ...(env === undefined ? {} : { env }) };
}

/** Starts an entry as a host does, and asks what tools there are. */
async function toolsOf(place: Place, { command, args, env }: Entry): Promise<readonly string[]> {
  const host = await connect({
    ...{ mode: "v1", command: [command, ...args], capable: false },
    env: { ...place.env, ...env },
  });
  const tools = await host.tools();
  await host.close();
  return tools;
}

function at(place: Place, verb: string, answers: readonly string[], ...options: readonly string[]) {
  return atTerminal([process.execPath, bin, verb, ...options], { ...place.env }, prompts, answers);
}

function claude(place: Place, mcpServers: Readonly<Record<string, unknown>>): string {
  return place.write("home/.claude.json", `${JSON.stringify({ numStartups: 7, mcpServers }, null, 2)}\n`);
}

/** A server in a host's file that npx fetches, and what npx makes of it: a folder of its own in npm's cache. */
function fetched(place: Place) {
  const offering = (description: string) =>
    scripted(
      place,
      { initialize: [hello("tools")], "tools/list": [answer(`{"tools":[${tool("add", description)}]}`)] },
      [],
      "npx.json",
    );
  const server = offering("Adds two numbers.");
  const runner = place.write("bin/npx", `#!/bin/sh\nexec ${server.map((word) => `'${word}'`).join(" ")}\n`);
  chmodSync(runner, 0o755);
  const cache = "home/.npm/_npx/0123456789abcdef";
  place.write(`${cache}/package.json`, { _npx: { packages: ["some-adder"] } });
  place.write(`${cache}/node_modules/some-adder/package.json`, { name: "some-adder", version: "1.2.3" });
  const env = { ...place.env, PATH: `${dirname(runner)}:${place.env["PATH"]}` };
  return { env, offering, path: claude(place, { adder: entry(["npx", "-y", "some-adder"]) }) };
}

const memory = installed("mcp-server-memory");
const poisoned = [process.execPath, join(root, "demo/poisoned-server.ts")];

describe("countersign wrap", { concurrent: true }, () => {
  test.skipIf(missing)(
    "what is approved in the sitting is there at the host's first connection [wrap.baseline] [wrap.sitting] [wrap.anywhere]",
    async ({ place, expect }) => {
      const files = installed("mcp-server-filesystem", join(place.folder, "home"));
      const path = claude(place, {
        memory: entry(memory, { MEMORY_FILE_PATH: join(place.folder, "m") }),
        files: entry(files),
      });
      const before = readFileSync(path);
      const { screen, code } = await at(place, "wrap", ["", ""]);
      expect(screen).toContain("Approve these 12 definitions of memory, how it is started and what it offers");
      expect(screen).toContain('wrapped   files in claude-code "');
      expect(screen).toContain("Claude Code: starts its servers through the gate once it is started again");
      expect(code).toBe(0);
      const wrapped = entriesIn(path);
      expect(wrapped["memory"]?.args.slice(0, 4)).toEqual([lasting, "run", "memory", "--workspace=none"]);
      expect(wrapped["memory"]?.env).toEqual({ MEMORY_FILE_PATH: join(place.folder, "m") });
      for (const [name, tool] of [
        ["memory", "read_graph"],
        ["files", "read_text_file"],
      ] as const) {
        const one = wrapped[name];
        expect(one && (await toolsOf(place, one))).toContain(tool);
      }
      expect((await place.countersign("status")).code).toBe(0);
      const twice = await at(place, "wrap", []);
      expect(twice.screen).toContain("already   memory in claude-code");
      expect(twice.code).toBe(0);
      expect(entriesIn(path)).toEqual(wrapped);
      expect((await at(place, "unwrap", [])).code).toBe(0);
      expect(readFileSync(path).equals(before)).toBe(true);
      expect((await at(place, "unwrap", [])).screen).toContain("no server is guarded in the file of any host");
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  test("approves nothing where nobody can be asked [wrap.nobody]", async ({ place, expect }) => {
    const path = claude(place, { memory: entry(memory) });
    const before = readFileSync(path, "utf8");
    const refused = await place.countersign("wrap");
    expect(refused.stderr).toContain("Cannot wrap without a terminal");
    expect(refused.code).toBe(3);
    expect((await place.countersign("unwrap")).code).toBe(3);
    expect(readFileSync(path, "utf8")).toBe(before);
    const { stdout, code } = await place.countersign("wrap", "--yes");
    expect(stdout).toContain("what was not approved is withheld from the model: countersign review");
    expect(code).toBe(2);
    const one = entriesIn(path)["memory"];
    expect(one && (await toolsOf(place, one))).toEqual([]);
    // Its lists are in the ledger already, so a review has all to show.
    expect((await place.countersign("status", "memory")).stdout).toContain("0 bound, 12 waiting");
  });

  test("a dry run shows the change without its secrets, and writes nothing [wrap.dry-run]", async ({
    place,
    expect,
  }) => {
    const path = claude(place, { memory: entry(memory, { API_TOKEN: "sk-abcdefghijk12345678" }) });
    const before = readFileSync(path, "utf8");
    const { stdout, code } = await place.countersign("wrap", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain('+        "run",');
    expect(stdout).toContain("would be wrapped memory in claude-code");
    expect(stdout).not.toContain("sk-abc");
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(existsSync(join(place.folder, "state"))).toBe(false);
  });

  test.skipIf(missing)("what has findings waits for a review of its own [wrap.sitting]", async ({ place, expect }) => {
    const path = claude(place, { poisoned: entry(poisoned) });
    const { screen, code } = await at(place, "wrap", [""]);
    expect(screen).toContain(
      "3 definitions of poisoned, with findings or changed, wait for countersign review poisoned",
    );
    expect(code).toBe(2);
    const one = entriesIn(path)["poisoned"];
    const tools = one === undefined ? [] : await toolsOf(place, one);
    expect(tools).toEqual(["count_words"]);
  });

  test.skipIf(missing)(
    "whoever leaves the sitting leaves every file as it was [wrap.leave]",
    async ({ place, expect }) => {
      const path = claude(place, { memory: entry(memory), other: entry(fixture("both-eras-server.ts")) });
      const before = readFileSync(path, "utf8");
      const { screen } = await at(place, "wrap", ["q"]);
      expect(screen).toContain("you left before the end, so nothing was rewritten");
      expect(readFileSync(path, "utf8")).toBe(before);
      const { screen: interrupted } = await at(place, "wrap", ["\u0003"]);
      expect(interrupted).toContain("countersign: stopped; no file was rewritten");
      expect(readFileSync(path, "utf8")).toBe(before);
    },
  );

  test.skipIf(missing)(
    "a floating launch is approved with its prose frozen [wrap.frozen]",
    async ({ place, expect }) => {
      const { env, path, offering } = fetched(place);
      const before = readFileSync(path, "utf8");
      const { screen, code } = await atTerminal([process.execPath, bin, "wrap"], env, prompts, ["s", ""]);
      expect(screen).toContain("What has just run is some-adder@1.2.3. Write that into the file?");
      expect(screen).toContain("so its prose stays as it is now (frozen)");
      expect(code).toBe(0);
      offering("Adds two numbers. It was published anew.");
      const { command, args } = entriesIn(path)["adder"] ?? entry([]);
      const host = await connect({ mode: "v1", command: [command, ...args], env, capable: false });
      expect(await host.definitions()).toMatchObject([{ description: "Adds two numbers." }]);
      await host.close();
      await atTerminal([process.execPath, bin, "unwrap"], env, prompts, []);
      expect(readFileSync(path, "utf8")).toBe(before);
    },
  );

  test.skipIf(missing)("a package is pinned to the version that has just run [wrap.pin]", async ({ place, expect }) => {
    const { env, path } = fetched(place);
    const before = readFileSync(path, "utf8");
    const { screen, code } = await atTerminal([process.execPath, bin, "wrap"], env, prompts, ["", ""]);
    expect(screen).toContain("pinned to some-adder@1.2.3, approved");
    expect(screen).not.toContain("(frozen)");
    expect(code).toBe(0);
    const adder = entriesIn(path)["adder"];
    expect(adder?.args.slice(-3)).toEqual(["npx", "-y", "some-adder@1.2.3"]);
    expect(adder && (await toolsOf({ ...place, env }, adder))).toEqual(["add"]);
    await atTerminal([process.execPath, bin, "unwrap"], env, prompts, []);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test.skipIf(missing)(
    "a project's entry is left alone unless it is named, and started only after a yes to its words [wrap.project]",
    async ({ place, expect }) => {
      const project = join(place.folder, "project");
      const path = place.write("project/.mcp.json", { mcpServers: { tools: entry(memory) } });
      const before = readFileSync(path, "utf8");
      const command = (...words: readonly string[]) => [
        ...["sh", "-c", 'cd "$0" && shift 0 && exec "$@"', project],
        ...[process.execPath, bin, "wrap", ...words],
      ];
      const plain = await atTerminal(command(), { ...place.env }, prompts, []);
      expect(plain.screen).toContain("whoever can write to the project wrote it; name it with --only");
      const no = await atTerminal(command("--only", "tools"), { ...place.env }, prompts, [""]);
      expect(no.screen).toContain(`${memory.join(" ")}\n`);
      expect(no.screen).toContain("you did not want it to be started");
      expect(readFileSync(path, "utf8")).toBe(before);
      expect(existsSync(join(place.folder, "state/countersign/runs"))).toBe(false);
      const yes = await atTerminal(command("--only", "tools"), { ...place.env }, prompts, ["y", ""]);
      expect(yes.code).toBe(0);
      expect(entriesIn(path)["tools"]?.args.slice(1, 4)).toEqual(["run", "tools", "--"]);
    },
  );

  test("one server of several hosts has one name, and another one of the same name another [wrap.names]", async ({
    place,
    expect,
  }) => {
    claude(place, { memory: entry(memory) });
    place.write("home/.cursor/mcp.json", { mcpServers: { memory: entry(memory) } });
    place.write("home/.codeium/windsurf/mcp_config.json", {
      mcpServers: { memory: entry([...memory, "--other"]), far: { serverUrl: "http://example.com/mcp" } },
    });
    const { stdout } = await place.countersign("wrap", "--yes", "--json");
    const { rows } = JSON.parse(stdout) as {
      rows: { host: string; name: string; server: string; is: string; because?: string }[];
    };
    expect(rows.map(({ host, server, is, because }) => [host, server, is, because])).toEqual([
      ["claude-code", "memory", "wrapped", undefined],
      ["cursor", "memory", "wrapped", undefined],
      ["windsurf", "memory.windsurf", "wrapped", undefined],
      ["windsurf", "far", "left", "BAD_URL"],
    ]);
  });

  test("keeps the mode of a file, and the link that leads to it [wrap.file]", async ({ place, expect }) => {
    const target = place.write("dotfiles/cursor.json", { mcpServers: { one: entry(["true"]) } });
    chmodSync(target, 0o600);
    const link = join(place.folder, "home/.cursor/mcp.json");
    mkdirSync(dirname(link));
    symlinkSync(target, link);
    const before = readFileSync(target, "utf8");
    await place.countersign("wrap", "--yes");
    expect(entriesIn(target)["one"]?.args.at(-1)).toBe("true");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(target))).toEqual(["cursor.json"]);
    await place.countersign("unwrap", "--yes");
    expect(readFileSync(target, "utf8")).toBe(before);
  });

  test("says of a file that may not be written to, and rewrites the others [wrap.file]", async ({ place, expect }) => {
    const closed = place.write("home/.cursor/mcp.json", { mcpServers: { one: entry(["true"]) } });
    const open = claude(place, { two: entry(["true"]) });
    chmodSync(dirname(closed), 0o555);
    // Root may write anywhere, so this is somebody else.
    const asRoot = process.getuid?.() === 0;
    const state = join(place.folder, "state");
    mkdirSync(state);
    for (const path of [place.folder, state, dirname(open)]) chmodSync(path, 0o777);
    chmodSync(open, 0o666);
    const command = [process.execPath, bin, "wrap", "--yes", "--json"];
    const all = asRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", ...command] : command;
    const [program = "", ...args] = all;
    const child = spawn(program, args, {
      env: { ...place.env },
      cwd: place.folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk);
    });
    const code = await new Promise((done) => child.on("close", done));
    chmodSync(dirname(closed), 0o755);
    const { rows } = JSON.parse(stdout) as { rows: { name: string; is: string; because?: string }[] };
    expect(rows.map(({ name, is, because }) => [name, is, because])).toEqual([
      ["two", "wrapped", undefined],
      ["one", "left", "NOT_WRITABLE"],
    ]);
    expect(code).toBe(4);
    expect(entriesIn(closed)["one"]).toEqual(entry(["true"]));
    expect(readdirSync(dirname(closed))).toEqual(["mcp.json"]);
  });

  test("a file is the old one or the new one, whenever it is killed [wrap.whole]", async ({ place, expect }) => {
    const letters = 300_000;
    const path = place.write("big.json", "a".repeat(letters));
    for (let round = 0; round < 20; round++) {
      const child = spawn(process.execPath, [...fixture("replace-for-ever.ts", path, String(letters)).slice(1)], {
        ...{ env: { ...place.env }, stdio: ["ignore", "pipe", "ignore"] },
      });
      await new Promise((ready) => child.stdout?.once("data", ready));
      await new Promise((later) => setTimeout(later, (round * 13) % 90));
      child.kill("SIGKILL");
      await new Promise((gone) => child.once("close", gone));
      const text = readFileSync(path, "utf8");
      expect(text.length).toBe(letters);
      expect(["a", "b"].some((letter) => text === letter.repeat(letters))).toBe(true);
    }
  });

  test("what npx fetched is kept elsewhere, so that an entry outlives its cache [wrap.lasting]", async ({
    place,
    expect,
  }) => {
    const fetched = join(place.folder, ".npm/_npx/abc/node_modules/countersign");
    cpSync(built, join(fetched, "dist"), { recursive: true });
    cpSync(join(root, "packages/gate/package.json"), join(fetched, "package.json"));
    const path = claude(place, { memory: entry(memory) });
    const child = spawn(process.execPath, [join(fetched, "dist/bin.js"), "wrap", "--yes"], {
      env: { ...place.env },
      stdio: "ignore",
    });
    await new Promise((gone) => child.once("close", gone));
    rmSync(join(place.folder, ".npm"), { recursive: true });
    const one = entriesIn(path)["memory"];
    expect(one?.args[0]).toContain(join(place.folder, "state/countersign/versions/"));
    expect(one && (await toolsOf(place, one))).toEqual([]);
    // And its own unwrap knows it.
    await place.countersign("unwrap", "--yes");
    expect(entriesIn(path)["memory"]).toEqual(entry(memory));
  });
});

describe("countersign unwrap", { concurrent: true }, () => {
  test("takes away what somebody wrote by hand, too [unwrap.by-hand]", async ({ place, expect }) => {
    const path = claude(place, {
      files: { command: "countersign", args: ["run", "files", "--", "npx", "-y", "some-files"] },
      line: { command: "npx -y countersign@0.1.0 run line --ledger /l -- uvx other" },
    });
    expect((await place.countersign("unwrap", "--yes")).code).toBe(0);
    expect(entriesIn(path)).toEqual({ files: entry(["npx", "-y", "some-files"]), line: { command: "uvx other" } });
  });

  test("keeps what somebody changed meanwhile [unwrap.edited]", async ({ place, expect }) => {
    const path = claude(place, { one: entry(["true", "a"]), two: entry(["true"]) });
    await place.countersign("wrap", "--yes");
    const wrapped = readFileSync(path, "utf8");
    const edited = wrapped
      .replace('"a"', '"b",\n        "c"')
      .replace('"numStartups": 7', '"numStartups": 8')
      .replace('"two": {', '"two": {\n      "env": { "X": "1" },');
    writeFileSync(path, edited);
    await place.countersign("unwrap", "--yes");
    expect(entriesIn(path)).toEqual({
      one: entry(["true", "b", "c"]),
      two: { env: { X: "1" }, command: "true", args: [] },
    });
  });
});

describe("countersign wrap, of servers at a URL", { concurrent: true }, () => {
  test("puts the gate in front of them, and takes it away to the byte [wrap.remote]", async ({ place, expect }) => {
    const server = await serveSessions();
    server.demand("Bearer abc-of-mine");
    const older = await serveSessions();
    const token = "$" + "{NOTES_TOKEN}";
    const path = claude(place, {
      notes: { type: "http", url: server.url.href, headers: { Authorization: `Bearer ${token}`, "X-Region": "eu" } },
      older: { type: "sse", url: older.oldUrl.href },
    });
    const before = readFileSync(path, "utf8");
    const env = { ...place.env, NOTES_TOKEN: "abc-of-mine" };
    const stdout = await new Promise<string>((done) => {
      const options = { env, cwd: place.folder };
      const child = execFile(process.execPath, [bin, "wrap", "--yes", "--json"], options, (_error, out) => done(out));
      child.stdin?.end();
    });
    const { rows } = JSON.parse(stdout) as { rows: { name: string; is: string; sat?: string }[] };
    expect(rows.map(({ name, is, sat }) => [name, is, sat])).toEqual([
      ["notes", "wrapped", "waits"],
      ["older", "wrapped", "waits"],
    ]);
    const entries = entriesIn(path);
    expect(entries["notes"]).toMatchObject({
      type: "stdio",
      env: { COUNTERSIGN_HEADER_AUTHORIZATION: `Bearer ${token}` },
    });
    expect(entries["notes"]?.args.slice(1)).toEqual([
      ...["run", "notes", "--url", server.url.href],
      ...["--header-from", "Authorization=COUNTERSIGN_HEADER_AUTHORIZATION", "--header", "X-Region: eu"],
    ]);
    expect(entries["older"]?.args.slice(1)).toEqual(["run", "older", "--url", older.oldUrl.href, "--transport", "sse"]);
    // What was seen then is what the host is served, when it starts the entry with its variables put in.
    await approve(place, "notes");
    const args = entries["notes"]?.args ?? [];
    const host = place.host([process.execPath, ...args], { COUNTERSIGN_HEADER_AUTHORIZATION: "Bearer abc-of-mine" });
    await host.initialize();
    expect((await host.ask("tools/list")).result?.tools).toHaveLength(3);
    await host.end();
    expect(server.came.at(-1)?.headers["x-region"]).toBe("eu");
    await place.countersign("unwrap", "--yes");
    expect(readFileSync(path, "utf8")).toBe(before);
    await Promise.all([server.close(), older.close()]);
  });
});

describe("countersign doctor", { concurrent: true }, () => {
  test("says what is not guarded, and when an approval appears [doctor.hosts]", async ({ place, expect }) => {
    claude(place, { one: entry(["true"]), far: { type: "ws", url: "https://example.com/mcp" } });
    place.write("home/.cursor/mcp.json", { mcpServers: { two: entry(place.guarded("two", ["true"])) } });
    const { stdout, code } = await place.countersign("doctor", "--json");
    const { facts } = JSON.parse(stdout) as { facts: { about: string; code: string; is: string; text: string }[] };
    const about = (which: string) => facts.filter((fact) => fact.code === which).map((fact) => [fact.about, fact.is]);
    expect(about("NOT_GUARDED")).toEqual([["claude-code", "todo"]]);
    expect(about("REMOTE_NOT_GUARDED")).toEqual([["claude-code", "note"]]);
    expect(about("APPROVAL_APPEARS")).toEqual([["cursor", "well"]]);
    expect(facts.find((fact) => fact.code === "NOT_GUARDED")?.text).toContain("run countersign wrap claude-code");
    expect(code).toBe(2);
  });

  test("mends entries that name a Node or a Countersign that is gone [doctor.fix]", async ({ place, expect }) => {
    const old = join(place.folder, "old/countersign/dist");
    cpSync(built, old, { recursive: true });
    const args = [join(old, "bin.js"), "run", "memory", "--", ...memory];
    const path = claude(place, { memory: { command: join(place.folder, "node-20/bin/node"), args } });
    renameSync(join(place.folder, "old"), join(place.folder, "new"));
    expect((await place.countersign("doctor", "--fix")).stderr).toContain("Cannot fix entries without a terminal");
    const before = await place.countersign("doctor");
    expect(before.stdout).toContain("run countersign doctor --fix");
    expect(before.code).toBe(2);
    const { stdout } = await place.countersign("doctor", "--fix", "--yes");
    expect(stdout).toContain("names what there is now");
    expect(stdout).not.toContain("cannot start");
    expect(entriesIn(path)["memory"]).toEqual({
      ...entry([process.execPath, ...args]),
      args: [lasting, ...args.slice(1)],
    });
  });
});
