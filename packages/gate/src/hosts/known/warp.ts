import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

export const warp: Host = {
  id: "warp",
  title: "Warp",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".warp", ".mcp.json"), { lists: wrapped }),
      ...inProjects(projects, [".warp", ".mcp.json"], { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: {
    files: "read",
    approval: "unverified",
    quirks: ["Servers that are shared within a team are in the cloud, and not found."],
  },
};
