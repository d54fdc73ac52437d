import type { ServerSettings } from "../config.ts";
import { defaultConfigPath } from "../paths.ts";
import { projectConfigFrom, realPathOf, repositoryOf } from "./repository.ts";

/** A project's config that asks for more than it may. */
export interface Ignored {
  /** By `ownPathOf`. */
  readonly path: string;
  /** Settings that would loosen the user's, each as `servers.files.trusted = true`. */
  readonly settings: readonly string[];
}

export interface SettingsHere {
  readonly settings: ServerSettings;
  readonly ignored: readonly Ignored[];
}

export interface ConfigFile {
  readonly path: string;
  /** Whether it has to be there. */
  readonly asked: boolean;
}

export interface ConfigFiles {
  readonly user: ConfigFile;
  /** Configs that may only tighten until they are trusted, in the order in which they count. */
  readonly projects: readonly ConfigFile[];
}

/**
 * Which configs count for whoever starts Countersign here: the user's own, and those that a repository may have brought.
 *
 * @param given by `--config` or the environment, both of which a repository's host config may hold
 */
export function configFilesHere(given: string | undefined): ConfigFiles {
  const own = { path: defaultConfigPath(), asked: false };
  const named = given === undefined ? own : { path: given, asked: true };
  const found = projectConfigFrom(process.cwd());
  const projects: ConfigFile[] = [];
  if (found !== undefined && realPathOf(found) !== realPathOf(named.path)) projects.push({ path: found, asked: true });
  if (repositoryOf(named.path) === undefined) return { user: named, projects };
  return { user: own, projects: [...projects, named] };
}
