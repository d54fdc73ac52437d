import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { listAt } from "../lists.ts";
import { inProjects, place } from "../places.ts";

const contents = { lists: [listAt("amp.mcpServers")] };
const names = ["settings.json", "settings.jsonc"];

export const amp: Host = {
  id: "amp",
  title: "Amp",
  files: (surroundings) => {
    const { config, machine, userData, projects } = foldersOf(surroundings);
    return [
      ...names.flatMap((name) => [
        place("managed", machine("ampcode", `managed-${name}`), contents),
        place("managed", machine("ampcode", name), contents),
        place("user", config("amp", name), contents),
        ...inProjects(projects, [".amp", name], contents),
      ]),
      ...(surroundings.platform === "win32" ? names.map((name) => place("user", userData("amp", name), contents)) : []),
    ];
  },
  variables: ["braced"],
  approvalAppears: "after-reconnect",
  notes: {
    files: "read",
    approval: "unverified",
    quirks: [
      "The key has a dot in it: `amp.mcpServers`.",
      "Servers of a project need its user's approval before they start.",
    ],
  },
};
