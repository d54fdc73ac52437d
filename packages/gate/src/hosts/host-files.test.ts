import { describe, expect, test } from "vitest";
import type { Surroundings } from "./host.ts";
import { type HostId, hostIds } from "./host-id.ts";
import { hostOf, hosts } from "./hosts.ts";

const linux: Surroundings = { platform: "linux", home: "/home/me", cwd: "/home/me/app", env: new Map() };
const mac: Surroundings = { platform: "darwin", home: "/Users/me", cwd: "/Users/me/app", env: new Map() };
const windows: Surroundings = {
  ...{ platform: "win32", home: "C:\\Users\\me", cwd: "C:\\Users\\me\\app" },
  env: new Map([
    ["APPDATA", "D:\\Roaming"],
    ["LOCALAPPDATA", "D:\\Local"],
  ]),
};

function paths(id: HostId, surroundings: Surroundings, scope?: string): readonly string[] {
  return hostOf(id)
    .files(surroundings)
    .filter((file) => scope === undefined || file.scope === scope)
    .map(({ path, pattern = [] }) => [path, ...pattern].join(surroundings.platform === "win32" ? "\\" : "/"));
}

/** Written by hand from what the makers say; one file of the user on each system, and one of a project. */
const known: Readonly<Record<HostId, readonly [linux: string, mac: string, windows: string, project: string]>> = {
  "claude-code": [".claude.json", ".claude.json", "C:\\Users\\me\\.claude.json", ".mcp.json"],
  vscode: [
    ".config/Code/User/mcp.json",
    "Library/Application Support/Code/User/mcp.json",
    "D:\\Roaming\\Code\\User\\mcp.json",
    ".vscode/mcp.json",
  ],
  cursor: [".cursor/mcp.json", ".cursor/mcp.json", "C:\\Users\\me\\.cursor\\mcp.json", ".cursor/mcp.json"],
  "claude-desktop": [
    ".config/Claude/claude_desktop_config.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
    "D:\\Roaming\\Claude\\claude_desktop_config.json",
    "",
  ],
  codex: [".codex/config.toml", ".codex/config.toml", "C:\\Users\\me\\.codex\\config.toml", ".codex/config.toml"],
  "gemini-cli": [
    ".gemini/settings.json",
    ".gemini/settings.json",
    "C:\\Users\\me\\.gemini\\settings.json",
    ".gemini/settings.json",
  ],
  windsurf: [
    ".codeium/windsurf/mcp_config.json",
    ".codeium/windsurf/mcp_config.json",
    "C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json",
    ".mcp.json",
  ],
  zed: [
    ".config/zed/settings.json",
    ".config/zed/settings.json",
    "D:\\Roaming\\Zed\\settings.json",
    ".zed/settings.json",
  ],
  cline: [
    ".cline/data/settings/cline_mcp_settings.json",
    "Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    "D:\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json",
    "",
  ],
  roo: [
    ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    "Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    "D:\\Roaming\\Code\\User\\globalStorage\\rooveterinaryinc.roo-cline\\settings\\mcp_settings.json",
    ".roo/mcp.json",
  ],
  kilo: [
    ".config/kilo/kilo.jsonc",
    ".config/kilo/kilo.json",
    "C:\\Users\\me\\.kilocode\\cli\\global\\settings\\mcp_settings.json",
    ".kilo/kilo.jsonc",
  ],
  continue: [
    ".continue/config.yaml",
    ".continue/config.yaml",
    "C:\\Users\\me\\.continue\\mcpServers\\*.yaml",
    ".continue/mcpServers/*.yaml",
  ],
  antigravity: [
    ".gemini/antigravity/mcp_config.json",
    ".gemini/config/mcp_config.json",
    "C:\\Users\\me\\.gemini\\antigravity\\mcp_config.json",
    ".agents/mcp_config.json",
  ],
  goose: [
    ".config/goose/config.yaml",
    ".config/goose/config.yaml",
    "D:\\Roaming\\Block\\goose\\config\\config.yaml",
    "",
  ],
  "lm-studio": [".lmstudio/mcp.json", ".cache/lm-studio/mcp.json", "C:\\Users\\me\\.lmstudio\\mcp.json", ""],
  junie: [".junie/mcp/mcp.json", ".junie/mcp/mcp.json", "C:\\Users\\me\\.junie\\mcp\\mcp.json", ".junie/mcp/mcp.json"],
  "jetbrains-air": ["", "", "", ".air/mcp.json"],
  "copilot-jetbrains": [
    ".config/github-copilot/intellij/mcp.json",
    ".config/github-copilot/intellij/mcp.json",
    "D:\\Local\\github-copilot\\intellij\\mcp.json",
    "",
  ],
  "amazon-q": [
    ".aws/amazonq/mcp.json",
    ".aws/amazonq/cli-agents/*.json",
    "C:\\Users\\me\\.aws\\amazonq\\agents\\*.json",
    ".amazonq/mcp.json",
  ],
  kiro: [
    ".kiro/settings/mcp.json",
    ".kiro/agents/*.json",
    "C:\\Users\\me\\.kiro\\settings\\mcp.json",
    ".kiro/settings/mcp.json",
  ],
  opencode: [
    ".config/opencode/opencode.jsonc",
    ".opencode/opencode.json",
    "C:\\Users\\me\\.config\\opencode\\opencode.json",
    "opencode.json",
  ],
  crush: [".config/crush/crushrc", ".config/crush/crush.json", "C:\\Users\\me\\.config\\crush\\crushrc", ".crushrc"],
  "copilot-cli": [
    ".copilot/mcp-config.json",
    ".copilot/mcp-config.json",
    "C:\\Users\\me\\.copilot\\mcp-config.json",
    ".github/mcp.json",
  ],
  amp: [
    ".config/amp/settings.json",
    ".config/amp/settings.jsonc",
    "D:\\Roaming\\amp\\settings.json",
    ".amp/settings.json",
  ],
  "visual-studio": ["", "", "C:\\Users\\me\\.mcp.json", ""],
  warp: [".warp/.mcp.json", ".warp/.mcp.json", "C:\\Users\\me\\.warp\\.mcp.json", ".warp/.mcp.json"],
  trae: [
    ".config/Trae/User/mcp.json",
    "Library/Application Support/Trae/User/mcp.json",
    "D:\\Roaming\\Trae\\User\\mcp.json",
    ".trae/mcp.json",
  ],
  qoder: [".qoder/mcp.json", ".qoder/mcp.json", "C:\\Users\\me\\.qoder\\mcp.json", ""],
  kimi: [".kimi/mcp.json", ".kimi/mcp.json", "C:\\Users\\me\\.kimi\\mcp.json", ".kimi-code/mcp.json"],
  factory: [".factory/mcp.json", ".factory/mcp.json", "C:\\Users\\me\\.factory\\mcp.json", ".factory/mcp.json"],
  vibe: [".vibe/config.toml", ".vibe/config.toml", "C:\\Users\\me\\.vibe\\config.toml", ".vibe/config.toml"],
};

describe("the files of every host", () => {
  test.each(hostIds)("%s", (id) => {
    const [onLinux, onMac, onWindows, inProject] = known[id];
    if (onLinux !== "") expect(paths(id, linux, "user")).toContain(`/home/me/${onLinux}`);
    if (onMac !== "") expect(paths(id, mac, "user")).toContain(`/Users/me/${onMac}`);
    if (onWindows !== "") expect(paths(id, windows, "user")).toContain(onWindows);
    if (inProject === "") return;
    for (const folder of ["/home/me/app", "/home/me", "/home", ""])
      expect(paths(id, linux, "project").map((path) => path.replace("//", "/"))).toContain(`${folder}/${inProject}`);
    expect(paths(id, windows, "project")).toContain(`C:\\Users\\me\\app\\${inProject.replaceAll("/", "\\")}`);
  });

  test("each host is there once, under its own name", () => {
    expect(hosts.map(({ id }) => id)).toEqual(hostIds);
    expect(new Set(hosts.map(({ title }) => title)).size).toBe(hostIds.length);
  });

  test.each([
    [
      "claude-code",
      "/etc/claude-code/managed-mcp.json",
      "/Library/Application Support/ClaudeCode/managed-mcp.json",
      "C:\\Program Files\\ClaudeCode\\managed-mcp.json",
    ],
    ["codex", "/etc/codex/config.toml", "/etc/codex/config.toml", "C:\\ProgramData\\OpenAI\\Codex\\config.toml"],
    [
      "gemini-cli",
      "/etc/gemini-cli/settings.json",
      "/Library/Application Support/GeminiCli/settings.json",
      "C:\\ProgramData\\gemini-cli\\settings.json",
    ],
    [
      "amp",
      "/etc/ampcode/managed-settings.json",
      "/Library/Application Support/ampcode/managed-settings.json",
      "C:\\ProgramData\\ampcode\\managed-settings.json",
    ],
    [
      "opencode",
      "/etc/opencode/opencode.json",
      "/Library/Application Support/opencode/opencode.json",
      "C:\\ProgramData\\opencode\\opencode.json",
    ],
  ] as const)("what an administrator writes for %s", (id, ...expected) => {
    for (const [index, surroundings] of [linux, mac, windows].entries())
      expect(paths(id, surroundings, "managed")).toContain(expected[index]);
  });

  test.each([
    ["claude-code", "CLAUDE_CONFIG_DIR", "/c", "/c/.claude.json"],
    ["vscode", "VSCODE_PORTABLE", "/c", "/c/user-data/User/mcp.json"],
    ["codex", "CODEX_HOME", "/c", "/c/config.toml"],
    ["gemini-cli", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/c/x.json", "/c/x.json"],
    ["cline", "CLINE_DIR", "/c", "/c/data/settings/cline_mcp_settings.json"],
    ["cline", "CLINE_MCP_SETTINGS_PATH", "/c/x.json", "/c/x.json"],
    ["opencode", "OPENCODE_CONFIG", "/c/x.json", "/c/x.json"],
    ["opencode", "OPENCODE_CONFIG_DIR", "/c", "/c/opencode.json"],
    ["copilot-cli", "COPILOT_HOME", "rel", "/home/me/app/rel/mcp-config.json"],
    ["vibe", "VIBE_HOME", "/c", "/c/config.toml"],
    ["zed", "XDG_CONFIG_HOME", "/c", "/c/zed/settings.json"],
    ["vscode", "XDG_CONFIG_HOME", "/c", "/c/Code/User/mcp.json"],
  ] as const)("%s looks where %s says", (id, name, value, path) => {
    expect(paths(id, { ...linux, env: new Map([[name, value]]) })).toContain(path);
    expect(paths(id, { ...linux, env: new Map([[name, ""]]) })).toEqual(paths(id, linux));
  });

  test("the names of variables have no case on Windows", () => {
    const env = new Map([["appdata", "E:\\R"]]);
    expect(paths("claude-desktop", { ...windows, env })).toEqual(["E:\\R\\Claude\\claude_desktop_config.json"]);
  });
});
