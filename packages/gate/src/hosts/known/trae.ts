import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

export const trae: Host = {
  id: "trae",
  title: "Trae",
  files: (surroundings) => {
    const { userData, projects } = foldersOf(surroundings);
    return [
      ...["Trae", "Trae CN"].map((name) => place("user", userData(name, "User", "mcp.json"), { lists: wrapped })),
      ...inProjects(projects, [".trae", "mcp.json"], { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "unverified", quirks: [] },
};
