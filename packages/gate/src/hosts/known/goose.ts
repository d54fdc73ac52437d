import { foldersOf } from "../folders.ts";
import type { Host } from "../host.ts";
import { listAt } from "../lists.ts";
import { place } from "../places.ts";

const yaml = { format: "yaml", lists: [listAt("extensions")] } as const;

export const goose: Host = {
  id: "goose",
  title: "Goose",
  files: (surroundings) => {
    const { config, userData } = foldersOf(surroundings);
    return [
      place("user", config("goose", "config.yaml"), yaml),
      ...(surroundings.platform === "win32"
        ? [place("user", userData("Block", "goose", "config", "config.yaml"), yaml)]
        : []),
    ];
  },
  variables: [],
  ownTypes: ["builtin", "platform", "frontend"],
  approvalAppears: "after-restart",
  notes: {
    files: "documented",
    approval: "reported",
    quirks: [
      "A command is `cmd`, its variables are `envs`; `env_keys` are looked up in a key ring.",
      "Entries of type `builtin` and `platform` are parts of Goose itself, and start nothing.",
    ],
  },
};
