import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { place } from "../places.ts";

export const claudeDesktop: Host = {
  id: "claude-desktop",
  title: "Claude Desktop",
  files: (surroundings) => {
    const { userData } = foldersOf(surroundings);
    // Builds for Linux are not its maker's, and do not agree.
    const names = surroundings.platform === "linux" ? ["Claude", "claude"] : ["Claude"];
    return names.map((name) => place("user", userData(name, "claude_desktop_config.json"), { lists: wrapped }));
  },
  variables: [],
  approvalAppears: "after-restart",
  notes: {
    files: "documented",
    approval: "reported",
    quirks: ["Connectors of the cloud and installed `.mcpb` bundles have no documented place, so they are not found."],
  },
};
