import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { listAt } from "../lists.ts";
import { inProjects, place } from "../places.ts";

const contents = { lists: [listAt("context_servers")] };

export const zed: Host = {
  id: "zed",
  title: "Zed",
  files: (surroundings) => {
    const { config, userData, projects } = foldersOf(surroundings);
    return [
      place(
        "user",
        surroundings.platform === "win32" ? userData("Zed", "settings.json") : config("zed", "settings.json"),
        contents,
      ),
      ...inProjects(projects, [".zed", "settings.json"], contents),
    ];
  },
  variables: [],
  approvalAppears: "at-once",
  notes: {
    files: "documented",
    approval: "documented",
    quirks: [
      'An older form nests the command: `"command": {"path": ...}`.',
      "Servers that an extension brings have no command in the file.",
      "`agent.profiles.*.context_servers.*.tools` says which tools the model gets.",
    ],
  },
};
