import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

export const kimi: Host = {
  id: "kimi",
  title: "Kimi Code",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".kimi", "mcp.json"), { lists: wrapped }),
      ...inProjects(projects, [".kimi-code", "mcp.json"], { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "unverified", quirks: ["`--mcp-config-file` names files that are not found."] },
};
