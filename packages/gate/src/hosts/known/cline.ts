import { foldersOf, under } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { place } from "../places.ts";
import { extensionFiles } from "./code-storage.ts";

export const cline: Host = {
  id: "cline",
  title: "Cline",
  files: (surroundings) => {
    const folders = foldersOf(surroundings);
    const own = folders.named("CLINE_DIR") ?? under(folders.home, ".cline");
    const named = folders.named("CLINE_MCP_SETTINGS_PATH");
    return [
      ...extensionFiles(folders, "saoudrizwan.claude-dev", "cline_mcp_settings.json", { lists: wrapped }),
      place("user", own("data", "settings", "cline_mcp_settings.json"), { lists: wrapped }),
      ...(named === undefined ? [] : [place("user", named(), { lists: wrapped })]),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: [
      'Type and command may be nested: `"transport": {...}`.',
      "`autoApprove` names tools that are called without a question.",
    ],
  },
};
