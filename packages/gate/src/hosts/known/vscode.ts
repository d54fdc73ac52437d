import { foldersOf, under } from "../folders.ts";
import type { Host, ServerList } from "../host.ts";
import { listAt, servers, wrapped } from "../lists.ts";
import { inProjects, matching, place } from "../places.ts";

/** Before `mcp.json` they were settings, nested or with a dot in the key. */
const settings: readonly ServerList[] = [listAt("mcp", "servers"), listAt("mcp.servers")];
const ofWorkspace: readonly ServerList[] = [
  ...settings.map(({ at, shape }) => ({ at: ["settings", ...at], shape })),
  listAt("settings", "mcp", "mcpServers"),
];
const ofContainer: readonly ServerList[] = [
  listAt("customizations", "vscode", "mcp", "servers"),
  ...settings.map(({ at, shape }) => ({ at: ["customizations", "vscode", "settings", ...at], shape })),
];

export const vscode: Host = {
  id: "vscode",
  title: "VS Code",
  files: (surroundings) => {
    const { home, userData, projects, named } = foldersOf(surroundings);
    const portable = named("VSCODE_PORTABLE");
    const users =
      portable === undefined
        ? ["Code", "Code - Insiders"].map((name) => under(userData, name, "User"))
        : [under(portable, "user-data", "User")];
    const copilot = named("COPILOT_HOME") ?? under(home, ".copilot");
    return [
      ...users.flatMap((user) => [
        place("user", user("mcp.json"), { lists: servers }),
        matching("user", user(), ["profiles", "*", "mcp.json"], { lists: servers }),
        place("user", user("settings.json"), { lists: settings }),
        matching("user", user(), ["profiles", "*", "settings.json"], { lists: settings }),
      ]),
      place("user", home(".vscode", "mcp.json"), { lists: servers }),
      place("user", home(".vscode-server", "data", "User", "mcp.json"), { lists: servers }),
      place("user", copilot("mcp-config.json"), { lists: wrapped }),
      ...inProjects(projects, [".vscode", "mcp.json"], { lists: servers }),
      ...inProjects(projects, [".vscode", "settings.json"], { lists: settings }),
      ...inProjects(projects, [".mcp.json"], { lists: wrapped }),
      ...inProjects(projects, [".devcontainer", "devcontainer.json"], { lists: ofContainer }),
      ...inProjects(projects, [".devcontainer.json"], { lists: ofContainer }),
      ...projects.map((project) => ({
        ...matching("project", project(), ["*.code-workspace"], { lists: ofWorkspace }),
        project: project(),
      })),
    ];
  },
  variables: ["prefixed"],
  approvalAppears: "at-once",
  notes: {
    files: "documented",
    approval: "documented",
    quirks: [
      "Its sessions in the Copilot harness read Copilot CLI's file of the user too.",
      "`sandboxEnabled` lets calls of a server pass without a question.",
      "`chat.mcp.discovery.enabled` brings in the servers of other hosts.",
      "A server may be reached through `unix://` or `pipe://`.",
    ],
  },
};
