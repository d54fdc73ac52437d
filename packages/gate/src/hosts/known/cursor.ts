import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { anyShape, wrapped } from "../lists.ts";
import { inProjects, matching, place } from "../places.ts";

export const cursor: Host = {
  id: "cursor",
  title: "Cursor",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".cursor", "mcp.json"), { lists: wrapped }),
      ...inProjects(projects, [".cursor", "mcp.json"], { lists: wrapped }),
      ...inProjects(projects, [".mcp.json"], { lists: wrapped }),
      ...["cache", "local"].map((where) =>
        matching("plugin", home(".cursor", "plugins"), [where, "**", ".mcp.json"], { lists: anyShape }),
      ),
    ];
  },
  variables: ["prefixed"],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "reported", quirks: ["`envFile` names a file of further variables."] },
};
