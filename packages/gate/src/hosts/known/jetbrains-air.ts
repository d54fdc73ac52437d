import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects } from "../places.ts";

export const jetbrainsAir: Host = {
  id: "jetbrains-air",
  title: "JetBrains Air",
  files: (surroundings) => {
    const { projects } = foldersOf(surroundings);
    return [
      ...inProjects(projects, [".air", "mcp.json"], { lists: wrapped }),
      ...inProjects(projects, [".mcp.json"], { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "unverified", quirks: [] },
};
