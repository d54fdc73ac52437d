import { foldersOf, under } from "../folders.ts";
import type { Host } from "../host.ts";
import { inProjects, place } from "../places.ts";

const toml = { format: "toml", lists: [{ at: ["mcp_servers"], shape: "listed" }] } as const;

export const vibe: Host = {
  id: "vibe",
  title: "Mistral Vibe",
  files: (surroundings) => {
    const { home, projects, named } = foldersOf(surroundings);
    const own = named("VIBE_HOME") ?? under(home, ".vibe");
    return [place("user", own("config.toml"), toml), ...inProjects(projects, [".vibe", "config.toml"], toml)];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: ["Servers are tables of an array, `[[mcp_servers]]`, each with its `name`."],
  },
};
