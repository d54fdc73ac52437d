import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { listAt } from "../lists.ts";
import { inProjects, place } from "../places.ts";

const json = { lists: [listAt("mcp")] };
const script = { format: "shell", lists: [] } as const;

export const crush: Host = {
  id: "crush",
  title: "Crush",
  files: (surroundings) => {
    const { etc, config, localData, projects } = foldersOf(surroundings);
    const windows = surroundings.platform === "win32";
    return [
      ...(windows ? [] : [place("managed", etc("crush", "crush.json"), json)]),
      place("user", config("crush", "crushrc"), script),
      place("user", config("crush", "crush.json"), json),
      ...(windows ? [place("user", localData("crush", "crush.json"), json)] : []),
      ...[".crushrc", "crushrc"].flatMap((name) => inProjects(projects, [name], script)),
      ...[".crush.json", "crush.json"].flatMap((name) => inProjects(projects, [name], json)),
    ];
  },
  variables: ["bare", "braced"],
  approvalAppears: "after-reconnect",
  evaluates: true,
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: [
      "`crushrc` is a Bash script that adds servers as it runs; it is reported, and neither run nor read.",
      "What stands in `$(...)` of its JSON is run when it is loaded, so such an entry is opaque.",
    ],
  },
};
