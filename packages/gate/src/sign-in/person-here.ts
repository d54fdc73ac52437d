import { couldNotBrowse, sayConsent } from "../print/say-sign-in.ts";
import { openBrowser } from "./open-browser.ts";
import type { Person } from "./person.ts";

/** Whoever started this, or their host. @param say takes one line for the log of the host, or the terminal */
export function personHere(say: (line: string) => void, browser = true): Person {
  return {
    tell: (consent) => say(sayConsent(consent)),
    ...(browser ? { browse: (url: URL) => openBrowser(url) } : {}),
    couldNotBrowse: () => say(couldNotBrowse),
  };
}
