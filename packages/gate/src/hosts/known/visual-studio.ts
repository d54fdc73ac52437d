import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { servers, wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

const contents = { lists: [...servers, ...wrapped] };

export const visualStudio: Host = {
  id: "visual-studio",
  title: "Visual Studio",
  files: (surroundings) => {
    if (surroundings.platform !== "win32") return [];
    const { home, projects } = foldersOf(surroundings);
    return [
      place("user", home(".mcp.json"), contents),
      ...[[".mcp.json"], [".vs", "mcp.json"], [".vscode", "mcp.json"], [".cursor", "mcp.json"]].flatMap((parts) =>
        inProjects(projects, parts, contents),
      ),
    ];
  },
  variables: ["prefixed"],
  approvalAppears: "after-reconnect",
  notes: { files: "documented", approval: "unverified", quirks: ["It is looked for on Windows only."] },
};
