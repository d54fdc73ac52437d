import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { anyShape, listAt, wrapped } from "../lists.ts";
import { inProjects, matching, place } from "../places.ts";

const contents = { lists: [...wrapped, listAt("powers", "mcpServers")] };

export const kiro: Host = {
  id: "kiro",
  title: "Kiro",
  files: (surroundings) => {
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".kiro", "settings", "mcp.json"), contents),
      matching("user", home(".kiro", "agents"), ["*.json"], contents),
      ...inProjects(projects, [".kiro", "settings", "mcp.json"], contents),
      ...projects.map((project) => ({
        ...matching("project", project(".kiro", "agents"), ["*.json"], contents),
        project: project(),
      })),
      matching("plugin", home(".kiro", "powers", "installed"), ["**", "mcp.json"], { lists: anyShape }),
    ];
  },
  variables: ["braced"],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "reported",
    quirks: [
      "Servers of powers stand in the same file, as `powers.mcpServers`.",
      "Its command line heeds `list_changed`, its editor does not.",
    ],
  },
};
