import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { wrapped } from "../lists.ts";
import { inProjects, matching, place } from "../places.ts";

export const geminiCli: Host = {
  id: "gemini-cli",
  title: "Gemini CLI",
  files: (surroundings) => {
    const { home, machine, projects, named } = foldersOf(surroundings);
    const folder = surroundings.platform === "darwin" ? "GeminiCli" : "gemini-cli";
    const system = named("GEMINI_CLI_SYSTEM_SETTINGS_PATH")?.() ?? machine(folder, "settings.json");
    const defaults = named("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")?.() ?? machine(folder, "system-defaults.json");
    return [
      place("managed", defaults, { lists: wrapped }),
      place("managed", system, { lists: wrapped }),
      place("user", home(".gemini", "settings.json"), { lists: wrapped }),
      ...inProjects(projects, [".gemini", "settings.json"], { lists: wrapped }),
      matching("plugin", home(".gemini", "extensions"), ["*", "gemini-extension.json"], { lists: wrapped }),
    ];
  },
  variables: ["braced", "bare", "percent"],
  approvalAppears: "after-reconnect",
  plainUrl: "sse",
  switches: { off: ["mcp", "excluded"], only: ["mcp", "allowed"] },
  notes: {
    files: "documented",
    approval: "reported",
    quirks: [
      "It heeds `list_changed` since the end of 2025; reports that it does not are open, hence the caution.",
      "It renames tools and edits schemas before its model reads them.",
      "`httpUrl` is HTTP, `url` is SSE.",
    ],
  },
};
