import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

export const windsurf: Host = {
  id: "windsurf",
  title: "Windsurf",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".codeium", "windsurf", "mcp_config.json"), { lists: wrapped }),
      place("user", home(".codeium", "mcp_config.json"), { lists: wrapped }),
      ...inProjects(projects, [".mcp.json"], { lists: wrapped }),
    ];
  },
  variables: ["prefixed"],
  approvalAppears: "after-reconnect",
  notes: {
    files: "read",
    approval: "unverified",
    quirks: ["Its plug-in for JetBrains reads `~/.codeium/mcp_config.json`.", "A url is `serverUrl`."],
  },
};
