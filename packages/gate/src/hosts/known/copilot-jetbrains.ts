import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { servers } from "../lists.ts";
import { place } from "../places.ts";

export const copilotJetbrains: Host = {
  id: "copilot-jetbrains",
  title: "Copilot for JetBrains",
  files: (surroundings) => {
    const { config, localData } = foldersOf(surroundings);
    const folder = surroundings.platform === "win32" ? localData : config;
    return [place("user", folder("github-copilot", "intellij", "mcp.json"), { lists: servers })];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "unverified", quirks: [] },
};
