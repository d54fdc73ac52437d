import { foldersOf, under } from "../folders.ts";
import type { Host } from "../host.ts";
import { listAt } from "../lists.ts";
import { inProjects, place } from "../places.ts";

const contents = { lists: [listAt("mcp"), listAt("mcp", "servers")] };
const names = ["opencode.json", "opencode.jsonc"];

export const opencode: Host = {
  id: "opencode",
  title: "opencode",
  files: (surroundings) => {
    const folders = foldersOf(surroundings);
    const { home, projects, named } = folders;
    const machine = under(folders.machine, "opencode");
    const own = named("OPENCODE_CONFIG_DIR") ?? under(folders.config, "opencode");
    const config = named("OPENCODE_CONFIG")?.();
    return [
      ...names.flatMap((name) => [
        place("managed", machine(name), contents),
        place("user", own(name), contents),
        place("user", home(".opencode", name), contents),
      ]),
      ...(config === undefined ? [] : [place("user", config, contents)]),
      ...names.flatMap((name) => [
        ...inProjects(projects, [name], contents),
        ...inProjects(projects, [".opencode", name], contents),
      ]),
    ];
  },
  variables: ["curly"],
  approvalAppears: "after-reconnect",
  notes: {
    files: "documented",
    approval: "unverified",
    quirks: [
      "A command is an array, its variables are `environment`.",
      "`{file:path}` stands for what is in a file, so a server with it is not started.",
      "An organisation's `.well-known/opencode` is not fetched.",
    ],
  },
};
