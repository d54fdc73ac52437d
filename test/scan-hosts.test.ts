import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { eventually } from "./rig/eventually.ts";
import { installed, type Place } from "./rig/place.ts";
import { serveSessions } from "./rig/session-server.ts";
import { atTerminal } from "./rig/terminal.ts";
import { test } from "./rig/test.ts";

const root = resolve(import.meta.dirname, "..");
const bin = process.env["COUNTERSIGN_BIN"] ?? join(root, "packages/gate/dist/bin.js");
const note = "script(1) of util-linux is not here; install it, as in: apt-get install bsdutils";

function entry([command = "", ...args]: readonly string[], more: object = {}): object {
  return { command, args, ...more };
}

const memory = entry(installed("mcp-server-memory"));
const poisoned = entry([process.execPath, join(root, "demo/poisoned-server.ts")]);

/** A server that leaves a file behind when it is started, and answers nothing. */
function marking(place: Place, ...more: readonly string[]): { readonly marked: () => boolean; readonly entry: object } {
  const path = join(place.folder, "marked");
  return {
    marked: () => existsSync(path),
    entry: entry([process.execPath, "-e", `require("fs").writeFileSync(${JSON.stringify(path)}, "")`, ...more]),
  };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

interface Row {
  readonly id: string;
  readonly host: string;
  readonly server: string;
  readonly reached: string;
  readonly guarded: boolean;
  readonly outcome: { readonly is: string; readonly because?: string; readonly look?: number };
}

async function scanned(place: Place, ...args: readonly string[]) {
  const { stdout, stderr, code } = await place.countersign("scan", "--json", "--deadline", "20", ...args);
  if (stdout === "") throw new Error(stderr);
  const report = JSON.parse(stdout) as {
    readonly servers: readonly Row[];
    readonly looks: readonly {
      readonly server: string;
      readonly definitions: readonly { readonly name: string; readonly reasons: readonly object[] }[];
      readonly failure?: { readonly code: string };
    }[];
    readonly problems: readonly { readonly path: string; readonly code: string }[];
  };
  const rowOf = (server: string) => report.servers.find((row) => row.server === server);
  return {
    ...{ ...report, code, stdout },
    rowOf,
    lookOf: (server: string) => report.looks[rowOf(server)?.outcome.look ?? -1],
  };
}

test("[scan.hosts] the servers of three hosts are found, started and judged; what fails keeps no other from it", async ({
  place,
}) => {
  place.write("home/.claude.json", {
    mcpServers: {
      memory,
      hangs: entry(["sleep", "60"]),
      exits: entry([process.execPath, "-e", "process.exit(3)"]),
      broken: 3,
      gone: entry(["no-such-command"]),
    },
    projects: { [place.folder]: { mcpServers: { poisoned } } },
  });
  place.write(
    "config/Code/User/mcp.json",
    `\uFEFF{ // mine\n "servers": { "memory": ${JSON.stringify(memory)}, "everything": ${JSON.stringify(entry(installed("mcp-server-everything")))}, },\n}`,
  );
  const [command, ...args] = installed("mcp-server-filesystem", place.folder);
  place.write(
    "home/.codex/config.toml",
    `[mcp_servers.files]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`,
  );
  place.write("home/.cursor/mcp.json", "{ broken");
  const before = filesBelow(place.folder);

  const { servers, looks, problems, code, lookOf } = await scanned(place, "--deadline", "6");
  expect(code).toBe(4);
  expect(servers.map(({ host, server }) => `${host} ${server}`)).toEqual([
    "claude-code memory",
    "claude-code hangs",
    "claude-code exits",
    "claude-code broken",
    "claude-code gone",
    "claude-code poisoned",
    "vscode memory",
    "vscode everything",
    "codex files",
  ]);
  expect(looks.filter(({ server }) => server === "memory")).toHaveLength(1);
  for (const server of ["memory", "everything", "files"]) {
    expect(lookOf(server)?.failure, server).toBeUndefined();
    expect(lookOf(server)?.definitions.length, server).toBeGreaterThan(5);
  }
  expect(lookOf("poisoned")?.definitions.filter(({ reasons }) => reasons.length > 0).length).toBe(3);
  expect(looks.flatMap(({ server, failure }) => (failure === undefined ? [] : [`${server} ${failure.code}`]))).toEqual([
    "hangs NO_ANSWER",
    "exits EXITED",
    "gone NOT_STARTED",
  ]);
  expect(new Set(problems.map(({ path, code: why }) => `${why} ${path}`))).toEqual(
    new Set([`SYNTAX ${join(place.folder, "home/.cursor/mcp.json")}`]),
  );
  expect(filesBelow(place.folder)).toEqual(before);
});

test("[scan.strangers] what a project, a plugin or a shell would start is not started without a word", async ({
  place,
}) => {
  const { marked, entry: marks } = marking(place);
  place.write(".mcp.json", { mcpServers: { stranger: marks } });
  place.write("home/.claude/plugins/cache/a/b/.mcp.json", { plugged: marks });
  place.write("home/.claude.json", {
    mcpServers: {
      off: { command: "x", disabled: true },
      shell: entry(["sh", "-c", "true"]),
      twice: { ...memory, command: "x" },
    },
  });
  const first = await scanned(place, "--only", "claude-code");
  expect(first.code).toBe(4);
  expect(first.servers.map(({ server, outcome }) => [server, outcome.because])).toEqual([
    ["off", "DISABLED"],
    ["shell", "SHELL"],
    ["twice", undefined],
    ["plugged", "PLUGIN"],
    ["stranger", "PROJECT"],
  ]);
  expect(marked()).toBe(false);
  expect(first.stdout).not.toContain("writeFileSync");

  const id = first.rowOf("stranger")?.id ?? "";
  place.write(".mcp.json", { mcpServers: { stranger: { ...marks, env: { NODE_OPTIONS: "" } } } });
  const changed = await place.countersign("scan", "--spawn", id);
  expect(changed.code).toBe(3);
  expect(changed.stderr).toContain("no entry has that id, which changes with its command");
  expect(marked()).toBe(false);

  place.write(".mcp.json", { mcpServers: { stranger: marks } });
  await scanned(place, "--only", "stranger", "--spawn", id);
  expect(marked()).toBe(true);
});

test("[scan.asks] a person at a terminal is shown the whole command, and only y starts it", async ({ place, skip }) => {
  skip(!existsSync("/usr/bin/script"), note);
  const { marked, entry: marks } = marking(place, "x".repeat(300), "a b", "\u202Eevil");
  place.write("repo/.mcp.json", { mcpServers: { stranger: { ...marks, env: { TOKEN: "secret-value" } } } });
  const command = [
    "sh",
    "-c",
    `cd ${place.folder}/repo && exec ${process.execPath} ${bin} scan --deadline 10 --only claude-code`,
  ];
  const refused = await atTerminal(command, { ...place.env }, ["ask no more "], [""]);
  expect(marked()).toBe(false);
  expect(refused.code).toBe(4);
  expect(refused.screen).toContain("x".repeat(300));
  expect(refused.screen).toContain('"a b" ⟦U+202E⟧evil');
  expect(refused.screen).toContain("with TOKEN=secret-value");
  await atTerminal(command, { ...place.env }, ["ask no more "], ["y"]);
  expect(marked()).toBe(true);
});

test("[scan.sign-in] a server that wants somebody to sign in is said to", async ({ place }) => {
  const script = 'console.error("Error: 401 Unauthorized"); process.exit(1)';
  place.write("home/.cursor/mcp.json", { mcpServers: { locked: entry([process.execPath, "-e", script]) } });
  const { lookOf, code } = await scanned(place);
  expect(lookOf("locked")?.failure?.code).toBe("NEEDS_SIGN_IN");
  expect(code).toBe(4);
  expect((await place.countersign("scan")).stdout).toContain("needs sign-in");
});

test("[http.look] a server at a URL is looked at, and said to need a sign-in where it asks who we are", async ({
  place,
}) => {
  const open = await serveSessions();
  const locked = await serveSessions();
  locked.demand("Bearer right");
  place.write("home/.cursor/mcp.json", {
    mcpServers: {
      notes: { url: open.url.href, headers: { "X-Region": "eu" } },
      older: { type: "sse", url: open.oldUrl.href },
      locked: { url: locked.url.href, headers: { Authorization: "Bearer wrong" } },
      nobody: { url: "http://127.0.0.1:9/mcp" },
      plain: { url: "http://x.example/mcp" },
    },
  });
  place.write(".mcp.json", { mcpServers: { theirs: { type: "http", url: locked.url.href } } });
  try {
    const { rowOf, lookOf, code } = await scanned(place);
    for (const server of ["notes", "older"]) expect(lookOf(server)?.definitions).toHaveLength(4);
    expect(open.came.some(({ headers }) => headers["x-region"] === "eu")).toBe(true);
    expect(lookOf("locked")?.failure?.code).toBe("NEEDS_SIGN_IN");
    expect(lookOf("nobody")?.failure?.code).toBe("NOT_REACHED");
    expect(rowOf("plain")?.outcome).toMatchObject({ is: "impossible", because: "BAD_URL" });
    expect(code).toBe(4);
    expect((await scanned(place, "--only", "notes", "--only", "older")).code).toBe(0);
    // What a repository names is not even asked.
    const before = locked.came.length;
    await place.countersign("scan", "--only", "theirs");
    expect(locked.came).toHaveLength(before);
    const one = await place.countersign("scan", "notes", "--url", open.url.href, "--json");
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({ launch: { words: open.url.href } });
    const lint = await place.countersign("lint", "--url", locked.url.href);
    expect([lint.code, lint.stderr + lint.stdout]).toEqual([4, expect.stringContaining("countersign sign-in")]);
  } finally {
    await Promise.all([open.close(), locked.close()]);
  }
});

test("[scan.guarded] behind a guard the server itself is looked at, under the name that it has", async ({ place }) => {
  place.write("home/.claude.json", {
    mcpServers: { mine: entry(place.guarded("notes", installed("mcp-server-memory"))) },
  });
  place.write("home/.cursor/mcp.json", { mcpServers: { notes: memory } });
  const { servers, looks, code } = await scanned(place);
  expect(servers.map(({ server, guarded }) => [server, guarded])).toEqual([
    ["notes", bin.endsWith("/gate/dist/bin.js") || bin.endsWith("/countersign/dist/bin.js")],
    ["notes", false],
  ]);
  expect(looks).toHaveLength(1);
  expect(code).toBe(0);
});

test("[scan.only] what is left out by name or by --no-spawn is not missing, and a name of nothing is an error", async ({
  place,
}) => {
  const { marked, entry: marks } = marking(place);
  place.write("home/.claude.json", { mcpServers: { memory, marks } });
  place.write("home/.cursor/mcp.json", { mcpServers: { far: { url: "https://x.example/mcp?key=abc123" } } });
  const only = await scanned(place, "--only", "memory");
  expect(only.servers.map(({ server }) => server)).toEqual(["memory"]);
  expect(only.code).toBe(0);
  const listed = await scanned(place, "--no-spawn");
  expect(listed.code).toBe(0);
  expect(listed.servers.map(({ server, outcome }) => [server, outcome.because])).toEqual([
    ["memory", "NO_SPAWN"],
    ["marks", "NO_SPAWN"],
    ["far", "NO_SPAWN"],
  ]);
  expect(listed.rowOf("far")?.reached).toBe("remote: https://x.example/mcp?key=$" + "{SECRET}");
  expect(marked()).toBe(false);
  expect((await scanned(place, "--only", "cursor")).code).toBe(4);
  const unknown = await place.countersign("scan", "--only", "nobody");
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('Cannot scan only "nobody"')]);
});

test("[scan.variables] a server gets the values of its variables, and is not started without one", async ({
  place,
}) => {
  const wants = `const wanted = ["the", "value"].join(" "); if (process.env.GOT !== wanted || process.argv[1] !== wanted || process.env.FILE !== "from file" || process.cwd() !== ${JSON.stringify(place.folder)}) process.exit(9); process.exit(0)`;
  const variable = "$" + "{WANTED}";
  place.write("vars.env", "FILE=from file\n");
  place.write("home/.claude.json", {
    mcpServers: {
      gets: entry([process.execPath, "-e", wants, variable], {
        ...{ env: { GOT: variable, WANTED: "no" }, cwd: place.folder, envFile: "vars.env" },
      }),
    },
  });
  const without = await scanned(place);
  expect(without.rowOf("gets")?.outcome).toMatchObject({ is: "impossible", because: "UNKNOWN_VARIABLE" });
  expect(without.code).toBe(4);
  const { stdout } = await new Promise<{ stdout: string }>((done) => {
    void import("node:child_process").then(({ execFile }) =>
      execFile(
        process.execPath,
        [bin, "scan", "--json"],
        { cwd: place.folder, env: { ...place.env, WANTED: "the value", HOME: place.env["HOME"] ?? "" } },
        (_error, out) => done({ stdout: out }),
      ),
    );
  });
  expect(JSON.parse(stdout).looks[0].failure.said).toContain("exited with code 0");
  expect(stdout).not.toContain("the value");
});

test("[scan.neighbours] a tool that looks like one of another server in the same host is asked about", async ({
  place,
}) => {
  place.write("home/.cursor/mcp.json", { mcpServers: { one: memory, two: { ...memory, env: { OTHER: "1" } } } });
  place.write("home/.codeium/windsurf/mcp_config.json", { mcpServers: { three: { ...memory, env: { OTHER: "2" } } } });
  const { lookOf } = await scanned(place);
  const about = (server: string) => JSON.stringify(lookOf(server)?.definitions.map(({ reasons }) => reasons));
  expect(about("one")).toContain('["server","two"]');
  expect(about("three")).not.toContain("shared-name");
});

test("[scan.hosts] an interrupted scan leaves no server behind", async ({ place }) => {
  const pids = join(place.folder, "pids");
  const script = `require("fs").appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n"); setInterval(() => {}, 1000)`;
  const hanging = (number: number) => entry([process.execPath, "-e", script, String(number)]);
  place.write("home/.claude.json", { mcpServers: { a: hanging(1), b: hanging(2), c: hanging(3) } });
  const child = spawn(process.execPath, [bin, "scan", "--jobs", "2"], { cwd: place.folder, env: place.env });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const pidsNow = () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : []);
  expect(await eventually(20_000, () => pidsNow().length === 2)).toBeLessThan(20_000);
  child.kill("SIGINT");
  expect(await ended).toBe(4);
  const started = pidsNow().map(Number);
  expect(started).toHaveLength(2);
  for (const pid of started) expect(() => process.kill(pid, 0), String(pid)).toThrow("ESRCH");
});

test("[scan.verbose] every place that was searched is listed, found or not", async ({ place }) => {
  place.write("home/.cursor/mcp.json", { mcpServers: {} });
  const { stdout, code } = await place.countersign("scan", "--verbose");
  expect(stdout).toContain(`found    cursor  ${place.folder}/home/.cursor/mcp.json`);
  expect(stdout).toContain(`nothing  claude-code  ${place.folder}/home/.claude.json`);
  expect(stdout).toContain(`nothing  vscode  ${place.folder}/.vscode/mcp.json`);
  expect(code).toBe(0);
  expect(readFileSync(join(place.folder, "home/.cursor/mcp.json"), "utf8")).toBe('{"mcpServers":{}}');
});
