import { settingsOf } from "../config.ts";
import { configFilesHere, type Ignored, type SettingsHere } from "./config-files.ts";

/** The settings of one server here. What reads a config and the records of trust is loaded only where there is a config. */
export async function settingsHere(server: string, given: string | undefined): Promise<SettingsHere> {
  const files = configFilesHere(given);
  if (files.projects.length === 0) {
    return { settings: await settingsOf(server, files.user.path, files.user.asked), ignored: [] };
  }
  const { readProjects } = await import("./read-projects.ts");
  return (await readProjects(files)).settingsOf(server);
}

/** What the configs of a project ask for, for whatever server, and may not. */
export async function ignoredHere(given: string | undefined): Promise<readonly Ignored[]> {
  const files = configFilesHere(given);
  if (files.projects.length === 0) return [];
  const { readProjects } = await import("./read-projects.ts");
  const untrusted = (await readProjects(files)).files.filter(({ trusted, loosens }) => !trusted && loosens.length > 0);
  return untrusted.map(({ path, loosens }) => ({ path, settings: loosens }));
}
