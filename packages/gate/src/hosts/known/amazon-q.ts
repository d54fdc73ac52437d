import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, matching, place } from "../places.ts";

export const amazonQ: Host = {
  id: "amazon-q",
  title: "Amazon Q",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".aws", "amazonq", "mcp.json"), { lists: wrapped }),
      place("user", home(".aws", "amazonq", "default.json"), { lists: wrapped }),
      ...["cli-agents", "agents"].map((name) =>
        matching("user", home(".aws", "amazonq", name), ["*.json"], { lists: wrapped }),
      ),
      ...inProjects(projects, [".amazonq", "mcp.json"], { lists: wrapped }),
      ...inProjects(projects, [".amazonq", "default.json"], { lists: wrapped }),
      ...projects.map((project) => ({
        ...matching("project", project(".amazonq", "cli-agents"), ["*.json"], { lists: wrapped }),
        project: project(),
      })),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: ["`toolAliases` gives tools other names before the model reads them."],
  },
};
