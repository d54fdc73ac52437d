import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

export const antigravity: Host = {
  id: "antigravity",
  title: "Antigravity",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".gemini", "antigravity", "mcp_config.json"), { lists: wrapped }),
      place("user", home(".gemini", "config", "mcp_config.json"), { lists: wrapped }),
      ...inProjects(projects, [".agents", "mcp_config.json"], { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "unverified", quirks: ["A url is `serverUrl`."] },
};
