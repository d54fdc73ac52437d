import { foldersOf, under } from "../folders.ts";
import type { Host } from "../host.ts";
import { anyShape, listAt } from "../lists.ts";
import { inProjects, matching, place } from "../places.ts";

const toml = { format: "toml", lists: [listAt("mcp_servers")] } as const;

export const codex: Host = {
  id: "codex",
  title: "Codex",
  files: (surroundings) => {
    const { home, machine, etc, projects, named } = foldersOf(surroundings);
    const own = named("CODEX_HOME") ?? under(home, ".codex");
    const managed = surroundings.platform === "win32" ? under(machine, "OpenAI", "Codex") : under(etc, "codex");
    return [
      ...["config.toml", "managed_config.toml"].map((name) => place("managed", managed(name), toml)),
      place("user", own("config.toml"), toml),
      matching("user", own(), ["*.config.toml"], toml),
      ...inProjects(projects, [".codex", "config.toml"], toml),
      matching("plugin", own("plugins"), ["**", ".mcp.json"], { lists: anyShape }),
    ];
  },
  variables: [],
  approvalAppears: "after-restart",
  notes: {
    files: "read",
    approval: "reported",
    quirks: ["On macOS an administrator's profile may hold servers too; it is not read."],
  },
};
