import { ourVariables } from "../hosts/edit/remote-entry.ts";
import type { Reach } from "../hosts/entry.ts";
import { transportOf } from "../hosts/remote-start-of.ts";
import { namesSecret, withoutSecrets } from "../launch/without-secrets.ts";

/** What follows `countersign run <name>` for a server at a URL, and the variables that it needs. */
export interface RemoteWords {
  readonly words: readonly string[];
  readonly env: ReadonlyMap<string, string>;
}

/**
 * A value that may be a secret, or that the host makes of variables, stays in the environment: everybody on a machine can
 * read the command lines of all.
 */
export function remoteWords(reach: Extract<Reach, { is: "remote" }>): RemoteWords {
  const transport = transportOf(reach);
  const words = ["--url", reach.url, ...(transport === "sse" ? ["--transport", transport] : [])];
  const env = new Map<string, string>();
  for (const [name, value] of reach.headers) {
    const isPlain = !namesSecret(name) && withoutSecrets(value) === value && !/[$%{`]/.test(value);
    if (isPlain) words.push("--header", `${name}: ${value}`);
    else {
      const variable = variableFor(name);
      env.set(variable, value);
      words.push("--header-from", `${name}=${variable}`);
    }
  }
  return { words, env };
}

/** Which variable holds the value of a header. */
export function variableFor(header: string): string {
  return ourVariables + header.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}
