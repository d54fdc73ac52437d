import { visible } from "@countersign/core";
import type { Ignored } from "../project/config-files.ts";
import { trustWords } from "../project/trust-words.ts";

/** The sentence for settings of a project that do not count. */
export function sayIgnored({ path, settings }: Ignored): string {
  const shown = settings.length > 8 ? [...settings.slice(0, 8), `and ${settings.length - 8} more`] : settings;
  return `ignores ${visible(shown.join(", "))} of "${visible(path)}": a project's config can only tighten until it is trusted; to trust it, run ${trustWords("config", path)}`;
}
