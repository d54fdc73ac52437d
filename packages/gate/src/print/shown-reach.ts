import { visible } from "@countersign/core";
import type { Reach } from "../hosts/entry.ts";
import type { Scope } from "../hosts/host.ts";
import { wordsWithoutSecrets } from "../launch/launch-of.ts";
import { withoutSecrets } from "../launch/without-secrets.ts";
import type { View } from "./view.ts";
import { counted } from "./within.ts";

/**
 * How a server is reached, without its secrets. What the user's own files say is theirs to see; what others wrote is shown
 * where a server's text is shown.
 */
export function shownReach(reach: Reach, scope: Scope, { text }: Pick<View, "text">): string {
  const foreign = (scope === "project" || scope === "plugin") && !text;
  switch (reach.is) {
    case "stdio": {
      const words = wordsWithoutSecrets(reach.command, reach.args);
      return `stdio: ${foreign ? `${counted(words.length, "word")}, shown with --text` : shownWords(words)}`;
    }
    case "remote": {
      const by = reach.transport === "unknown" ? "remote" : reach.transport;
      return `${by}: ${foreign ? "a url, shown with --text" : visible(withoutSecrets(reach.url))}`;
    }
    case "opaque":
      return opaques[reach.because];
  }
}

/** Words with a space in them are told apart from two words. */
export function shownWords(words: readonly string[]): string {
  return words.map((word) => visible(/^[^\s"']+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

const opaques: Readonly<Record<Extract<Reach, { is: "opaque" }>["because"], string>> = {
  SHELL: "what a shell makes of it",
  NO_COMMAND: "nothing: neither a command nor a url",
  NOT_AN_OBJECT: "nothing: the entry is no object",
  WRONG_TYPE: "nothing: a part of it has the wrong type",
};
