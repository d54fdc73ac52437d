import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { place } from "../places.ts";

export const lmStudio: Host = {
  id: "lm-studio",
  title: "LM Studio",
  files: (surroundings) => {
    const { home } = foldersOf(surroundings);
    return [
      place("user", home(".lmstudio", "mcp.json"), { lists: wrapped }),
      place("user", home(".cache", "lm-studio", "mcp.json"), { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "unverified", quirks: [] },
};
