import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { listAt, wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";
import { extensionFiles } from "./code-storage.ts";

const contents = { lists: [listAt("mcp")] };
const names = ["kilo.json", "kilo.jsonc"];

export const kilo: Host = {
  id: "kilo",
  title: "Kilo Code",
  files: (surroundings) => {
    const folders = foldersOf(surroundings);
    return [
      ...names.map((name) => place("user", folders.config("kilo", name), contents)),
      ...extensionFiles(folders, "kilocode.kilo-code", "mcp_settings.json", { lists: wrapped }),
      place("user", folders.home(".kilocode", "cli", "global", "settings", "mcp_settings.json"), { lists: wrapped }),
      ...names.flatMap((name) => [
        ...inProjects(folders.projects, [name], contents),
        ...inProjects(folders.projects, [".kilo", name], contents),
      ]),
      ...inProjects(folders.projects, [".kilocode", "mcp.json"], { lists: wrapped }),
    ];
  },
  variables: ["curly"],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: [
      "`mcp` is opencode's shape; what `mcpServers` holds is from before.",
      "`alwaysAllow` names tools that are called without a question.",
    ],
  },
};
