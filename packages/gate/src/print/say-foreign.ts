import { visible } from "@countersign/core";
import type { Ignored } from "../project/config-files.ts";

/** The sentence for what a project's config says of the gateway, which is not for it to say. */
export function sayForeign({ path, settings }: Ignored): string {
  const shown = settings.length > 8 ? [...settings.slice(0, 8), `and ${settings.length - 8} more`] : settings;
  return `ignores ${visible(shown.join(", "))} of "${visible(path)}": which servers there are, and how they are reached, is for your own config to say`;
}
