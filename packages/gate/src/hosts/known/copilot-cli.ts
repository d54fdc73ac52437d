import { foldersOf, under } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, place } from "../places.ts";

export const copilotCli: Host = {
  id: "copilot-cli",
  title: "Copilot CLI",
  files: (surroundings) => {
    const { home, projects, named } = foldersOf(surroundings);
    const own = named("COPILOT_HOME") ?? under(home, ".copilot");
    return [
      place("user", own("mcp-config.json"), { lists: wrapped }),
      ...inProjects(projects, [".mcp.json"], { lists: wrapped }),
      ...inProjects(projects, [".github", "mcp.json"], { lists: wrapped }),
    ];
  },
  variables: ["braced"],
  approvalAppears: "after-reconnect",
  notes: { files: "documented", approval: "unverified", quirks: ["`tools` says which tools the model gets."] },
};
