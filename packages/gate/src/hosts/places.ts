import type { Below } from "./folders.ts";
import type { Format, HostPlace, Scope, ServerList } from "./host.ts";

interface Contents {
  readonly lists: readonly ServerList[];
  /** JSON with comments unless it says otherwise: a reader that takes comments takes a file without them. */
  readonly format?: Format;
}

export function place(scope: Scope, path: string, { lists, format = "jsonc" }: Contents): HostPlace {
  return { path, scope, format, lists };
}

/** The same file in the project's folder and in every one above. */
export function inProjects(
  projects: readonly Below[],
  parts: readonly string[],
  contents: Contents,
): readonly HostPlace[] {
  return projects.map((project) => ({ ...place("project", project(...parts), contents), project: project() }));
}

/** All files below a folder that a pattern fits. */
export function matching(scope: Scope, folder: string, pattern: readonly string[], contents: Contents): HostPlace {
  return { ...place(scope, folder, contents), pattern };
}
