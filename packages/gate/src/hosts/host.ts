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
  readonly files: (surroundings: Surroundings) => readonly HostPlace[];
  /** Text in an entry that the host replaces before it starts the server. */
  readonly variables: readonly VariableSyntax[];
  /** When an approval given while the host runs reaches its model. */
  readonly approvalAppears: "at-once" | "after-reconnect" | "after-restart";
  /** What `url` without a type means. */
  readonly plainUrl?: "sse";
  /** The host runs what stands in `$(...)` of an entry, so such an entry cannot be known without running it. */
  readonly evaluates?: true;
  /**
   * Lists of names, as keys from the object that holds the list of servers: those that are not started, and those without which
   * none is.
   */
  readonly switches?: { readonly off: readonly string[]; readonly only?: readonly string[] };
  /** Entries of these types are parts of the host, and start nothing. */
  readonly ownTypes?: readonly string[];
  /** For docs/hosts.md: where the data is from, and what of it nobody has tried. */
  readonly notes: HostNotes;
}

export interface HostNotes {
  /** `documented`: the maker says so. `read`: in the source of another tool. `unverified`: neither. */
  readonly files: "documented" | "read" | "unverified";
  /** `reported`: somebody who tried it says so. Where it is `unverified`, `approvalAppears` is the cautious guess. */
  readonly approval: "documented" | "reported" | "unverified";
  /** What is odd about it, one sentence each. */
  readonly quirks: readonly string[];
}

/** One file; or, with `pattern`, all files below the folder `path` that it fits. */
export interface HostPlace extends HostFile {
  /** Names below `path`, one a level: `*` is any part of a name, `**` is folders of any depth. */
  readonly pattern?: readonly string[];
}

export interface HostFile {
  readonly path: string;
  readonly scope: Scope;
  readonly format: Format;
  /** Where servers stand in it, as keys from the root; `*` is every key of an object, or every item of an array. */
  readonly lists: readonly ServerList[];
  /** Of scope `project`: the folder that the host would have opened. */
  readonly project?: string;
}

/**
 * Who may write it: `user` the person, `managed` an administrator, `project` whoever can commit to the repository, `plugin`
 * whoever published the plugin. Only what the person or the administrator wrote is started without a question.
 */
export type Scope = "user" | "managed" | "project" | "plugin";

/** `shell` is a script that would have to be run to be read, so it is reported and never read. */
export type Format = "json" | "jsonc" | "toml" | "yaml" | "shell";

export interface ServerList {
  /** With no key at all, the root itself; then it counts only where the file has none of the other lists. */
  readonly at: readonly string[];
  /** `named`: an object of entries by name. `listed`: an array of entries that hold their name. A file may have either. */
  readonly shape: "named" | "listed";
}

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}`, `${workspaceFolder}`, `${{ secrets.NAME }}`, `$NAME`, `%NAME%`, `{env:NAME}`. */
export type VariableSyntax = "braced" | "defaulted" | "prefixed" | "secrets" | "bare" | "percent" | "curly";
