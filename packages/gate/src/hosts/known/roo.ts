import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects } from "../places.ts";
import { extensionFiles } from "./code-storage.ts";

export const roo: Host = {
  id: "roo",
  title: "Roo Code",
  files: (surroundings) => {
    const folders = foldersOf(surroundings);
    return [
      ...extensionFiles(folders, "rooveterinaryinc.roo-cline", "mcp_settings.json", { lists: wrapped }),
      ...inProjects(folders.projects, [".roo", "mcp.json"], { lists: wrapped }),
    ];
  },
  variables: ["prefixed"],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: [
      "It ended in May 2026; its files are still there.",
      "`alwaysAllow` names tools that are called without a question.",
    ],
  },
};
