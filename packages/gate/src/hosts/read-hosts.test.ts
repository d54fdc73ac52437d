import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readHosts } from "./read-hosts.ts";
import { type FixtureHome, fixtureHome } from "./under-test/fixture-home.ts";

let home: FixtureHome | undefined;
afterEach(() => home?.close());

const good = '{"mcpServers": {"fine": {"command": "x"}}}';

/** What is in the place of one file, beside a good one of another host. */
async function readWith(make: (path: string) => unknown) {
  const made = fixtureHome("linux");
  home = made;
  made.write("/home/me/.cursor/mcp.json", good);
  const path = made.locate("/home/me/.claude.json");
  mkdirSync(dirname(path), { recursive: true });
  make(path);
  const { entries, problems, searched } = await readHosts(made.surroundings, { locate: made.locate });
  expect(entries.filter(({ host }) => host === "cursor").map(({ name }) => name)).toEqual(["fine"]);
  return { problems, searched, entries };
}

describe("readHosts()", () => {
  const aboutClaude = { host: "claude-code", path: "/home/me/.claude.json" };

  test("a folder in the place of a file is a problem, and keeps no other file from being read", async () => {
    expect((await readWith((path) => mkdirSync(path))).problems).toEqual([{ ...aboutClaude, code: "NOT_A_FILE" }]);
  });

  test("a pipe is never opened", async () => {
    const { problems } = await readWith((path) => expect(spawnSync("mkfifo", [path]).status).toBe(0));
    expect(problems).toEqual([{ ...aboutClaude, code: "NOT_A_FILE" }]);
  });

  test("a link that leads nowhere, or in a circle, is a problem", async () => {
    expect((await readWith((path) => symlinkSync("/no/where", path))).problems).toEqual([
      { ...aboutClaude, code: "DANGLING_LINK" },
    ]);
    home?.close();
    expect((await readWith((path) => symlinkSync(path, path))).problems).toEqual([
      { ...aboutClaude, code: "UNREADABLE", detail: "ELOOP" },
    ]);
  });

  test("a link to a file is read", async () => {
    const { entries } = await readWith((path) => symlinkSync(`${dirname(path)}/.cursor/mcp.json`, path));
    expect(entries.map(({ host }) => host)).toEqual(["claude-code", "cursor"]);
  });

  test("a file of more than 20 MiB is not read", async () => {
    const { problems } = await readWith((path) => {
      home?.write("/home/me/.claude.json", good);
      truncateSync(path, 20 * 1024 * 1024 + 1);
    });
    expect(problems).toEqual([{ ...aboutClaude, code: "TOO_LARGE" }]);
  });

  test("a file of just under 20 MiB is read", async () => {
    const { problems, entries } = await readWith(() =>
      home?.write("/home/me/.claude.json", good + " ".repeat(20 * 1024 * 1024 - good.length)),
    );
    expect(problems).toEqual([]);
    expect(entries.map(({ host }) => host)).toEqual(["claude-code", "cursor"]);
  });

  test("every place is listed, found or not, and none of a host twice", async () => {
    const { searched } = await readWith(() => undefined);
    expect(searched.filter(({ there }) => there.is === "file").map(({ file }) => file.path)).toEqual([
      "/home/me/.cursor/mcp.json",
    ]);
    const keys = searched.map(({ host, file }) => `${host} ${file.path}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain("vscode /home/me/work/app/.vscode/mcp.json");
    expect(keys).toContain("vscode /home/me/.config/Code/User/profiles/*/mcp.json");
  });

  test("what is the user's file and above a project at once is the user's", async () => {
    const { searched } = await readWith(() => undefined);
    const gemini = searched.filter(({ file }) => file.path === "/home/me/.gemini/settings.json");
    expect(gemini.map(({ file }) => file.scope)).toEqual(["user"]);
  });

  test("plugins, profiles and workspaces are found by what they are called", async () => {
    const { entries } = await readWith(() => {
      for (const path of [
        "/home/me/.claude/plugins/cache/market/plugin/1.0/.mcp.json",
        "/home/me/.claude/plugins/cache/market/plugin/1.0/.claude-plugin/plugin.json",
        "/home/me/.claude/plugins/marketplaces/market/plugin/.mcp.json",
        "/home/me/.claude/plugins/cache/market/node_modules/x/.mcp.json",
      ])
        home?.write(path, good);
      home?.write("/home/me/.config/Code/User/profiles/abc/mcp.json", '{"servers": {"fine": {"command": "x"}}}');
      home?.write("/home/me/work/x.code-workspace", '{"settings": {"mcp": {"servers": {"fine": {"command": "x"}}}}}');
      home?.write(
        "/home/me/work/app/.devcontainer/devcontainer.json",
        '{"customizations": {"vscode": {"mcp": {"servers": {"fine": {"command": "x"}}}}}}',
      );
    });
    expect(entries.map(({ file }) => `${file.scope} ${file.path}`).sort()).toEqual([
      "plugin /home/me/.claude/plugins/cache/market/plugin/1.0/.claude-plugin/plugin.json",
      "plugin /home/me/.claude/plugins/cache/market/plugin/1.0/.mcp.json",
      "project /home/me/work/app/.devcontainer/devcontainer.json",
      "project /home/me/work/x.code-workspace",
      "user /home/me/.config/Code/User/profiles/abc/mcp.json",
      "user /home/me/.cursor/mcp.json",
    ]);
  });

  test("what a variable names in a repository is the repository's, and elsewhere the user's", async () => {
    const made = fixtureHome("linux", { CODEX_HOME: "/home/me/repo/.codex", CLAUDE_CONFIG_DIR: "/home/me/mine" });
    home = made;
    made.write("/home/me/repo/.git/HEAD", "");
    made.write("/home/me/repo/.codex/config.toml", "[mcp_servers.a]\ncommand = 'x'\n");
    made.write("/home/me/mine/.claude.json", good);
    const { entries } = await readHosts(made.surroundings, { locate: made.locate });
    expect(entries.map(({ host, file }) => [host, file.scope])).toEqual([
      ["claude-code", "user"],
      ["codex", "project"],
    ]);
  });
});
