import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

export const junie: Host = {
  id: "junie",
  title: "JetBrains Junie",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".junie", "mcp", "mcp.json"), { lists: wrapped }),
      ...inProjects(projects, [".junie", "mcp", "mcp.json"], { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: {
    files: "read",
    approval: "unverified",
    quirks: ["AI Assistant keeps its servers in the IDE's own XML, which is not read."],
  },
};
