import type { HostId } from "./host-id.ts";

/** All of this machine that the places of hosts' files depend on. Tests give another one. */
export interface Surroundings {
  readonly platform: "linux" | "darwin" | "win32";
  readonly home: string;
  /** The folder that project files are looked for in, and above. */
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
}

/** One program that runs a model and starts servers. Data first: only `files` computes. */
export interface Host {
  readonly id: HostId;
  /** As its maker writes it. */
  readonly title: string;
  /** Every place that may hold a file of this host, there or not, most general first. */
  readonly files: (surroundings: Surroundings) => readonly HostFile[];
  /** Text in an entry that the host replaces before it starts the server. */
  readonly variables: readonly VariableSyntax[];
  /** When an approval given while the host runs reaches its model. */
  readonly approvalAppears: "at-once" | "after-reconnect" | "after-restart";
}

export interface HostFile {
  readonly path: string;
  readonly scope: Scope;
  readonly format: Format;
  /** Where servers stand in it, as keys from the root; `*` is every key of an object, or every item of an array. */
  readonly lists: readonly ServerList[];
}

/**
 * Who may write it: `user` the person, `managed` an administrator, `project` whoever can commit to the repository, `plugin`
 * whoever published the plugin. Only what the person or the administrator wrote is started without a question.
 */
export type Scope = "user" | "managed" | "project" | "plugin";

/** `shell` is a script that would have to be run to be read, so it is reported and never read. */
export type Format = "json" | "jsonc" | "toml" | "yaml" | "shell";

export interface ServerList {
  readonly at: readonly string[];
  /** `named`: an object of entries by name. `listed`: an array of entries that hold their name. */
  readonly shape: "named" | "listed";
}

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}`, `${workspaceFolder}`, `${{ secrets.NAME }}`, `$NAME`, `%NAME%`, `{env:NAME}`. */
export type VariableSyntax = "braced" | "defaulted" | "prefixed" | "secrets" | "bare" | "percent" | "curly";
