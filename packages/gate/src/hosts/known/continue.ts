import { foldersOf, under } from "../folders.ts";
import type { Host } from "../host.ts";
import { anyShape, listAt } from "../lists.ts";
import { matching, place } from "../places.ts";

const yaml = { format: "yaml", lists: [{ at: ["mcpServers"], shape: "listed" }] } as const;
const json = { lists: [...anyShape.slice(0, 2), listAt("projects", "*", "mcpServers")] };
const endings = [
  ["yaml", yaml],
  ["yml", yaml],
  ["json", { lists: [...anyShape, listAt("projects", "*", "mcpServers")] }],
] as const;

export const continueDev: Host = {
  id: "continue",
  title: "Continue",
  files: (surroundings) => {
    const { home, projects, named } = foldersOf(surroundings);
    const own = named("CONTINUE_GLOBAL_DIR") ?? under(home, ".continue");
    return [
      place("user", own("config.yaml"), yaml),
      place("user", own("config.json"), json),
      ...endings.map(([ending, contents]) => matching("user", own("mcpServers"), [`*.${ending}`], contents)),
      ...projects.flatMap((project) =>
        endings.map(([ending, contents]) => ({
          ...matching("project", project(".continue", "mcpServers"), [`*.${ending}`], contents),
          project: project(),
        })),
      ),
    ];
  },
  variables: ["secrets"],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: [
      "Servers are a list, each with its `name`.",
      "A JSON file may have the shape of any other host, `projects.*.mcpServers` too.",
      "Secrets are looked up in the environment; the `.env` files that it reads as well are not read.",
    ],
  },
};
