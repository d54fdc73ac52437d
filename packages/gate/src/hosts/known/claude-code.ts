import { foldersOf, under } from "../folders.ts";
import type { Host } from "../host.ts";
import { anyShape, listAt, wrapped } from "../lists.ts";
import { inProjects, matching, place } from "../places.ts";

export const claudeCode: Host = {
  id: "claude-code",
  title: "Claude Code",
  files: (surroundings) => {
    const { home, machine, programFiles, projects, named } = foldersOf(surroundings);
    const { platform } = surroundings;
    const managed = under(programFiles ?? machine, platform === "linux" ? "claude-code" : "ClaudeCode");
    const own = named("CLAUDE_CONFIG_DIR") ?? home;
    const plugins = named("CLAUDE_CONFIG_DIR")?.("plugins") ?? home(".claude", "plugins");
    return [
      place("managed", managed("managed-mcp.json"), { lists: wrapped }),
      place("user", own(".claude.json"), { lists: [...wrapped, listAt("projects", "*", "mcpServers")] }),
      ...inProjects(projects, [".mcp.json"], { lists: wrapped }),
      ...["cache", "repos"].flatMap((where) => [
        matching("plugin", plugins, [where, "**", ".mcp.json"], { lists: anyShape }),
        matching("plugin", plugins, [where, "**", ".claude-plugin", "plugin.json"], { lists: wrapped }),
      ]),
    ];
  },
  variables: ["braced", "defaulted"],
  approvalAppears: "at-once",
  switches: { off: ["disabledMcpServers"] },
  notes: {
    files: "documented",
    approval: "documented",
    quirks: [
      "A file of a plugin may hold its servers at the root, without `mcpServers`.",
      "`list_changed` is documented since 2.1.0; some report that it is not heeded over HTTP.",
      "Servers of one project of yours stand in `.claude.json` as `projects.<folder>.mcpServers`.",
    ],
  },
};
