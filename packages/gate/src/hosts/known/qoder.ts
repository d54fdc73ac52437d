import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { place } from "../places.ts";

export const qoder: Host = {
  id: "qoder",
  title: "Qoder",
  files: (surroundings) => {
    const { home, userData } = foldersOf(surroundings);
    return [
      place("user", home(".qoder", "mcp.json"), { lists: wrapped }),
      place("user", userData("Qoder", "SharedClientCache", "mcp.json"), { lists: wrapped }),
    ];
  },
  variables: [],
  approvalAppears: "after-reconnect",
  notes: { files: "read", approval: "unverified", quirks: [] },
};
