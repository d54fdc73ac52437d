import { variableOf } from "./folders.ts";
import type { Host, Surroundings, VariableSyntax } from "./host.ts";

export type Expanded =
  | { readonly is: "text"; readonly text: string }
  /** The first of the variables that have no value here, as it stands in the text. */
  | { readonly is: "unknown"; readonly variable: string };

/** What a variable may stand for besides the environment: `workspaceFolder`, `userHome`, `CLAUDE_PLUGIN_ROOT`. */
export type Known = ReadonlyMap<string, string>;

/**
 * A text with its variables replaced as the host would, for one start of the user's own server. What is shown, recorded and
 * compared is always the text as it stands in the file.
 *
 * @param text repository-written, perhaps: what a variable stands for is put in once, and never read for variables again
 */
export function expand(
  text: string,
  { variables }: Pick<Host, "variables">,
  surroundings: Surroundings,
  known: Known,
): Expanded {
  let unknown: string | undefined;
  const expanded = text.replace(references, (all, ...found: (string | undefined)[]) => {
    const value = replacementOf(all, referenceOf(found));
    if (value === undefined) unknown ??= all;
    return value ?? all;
  });
  return unknown === undefined ? { is: "text", text: expanded } : { is: "unknown", variable: unknown };

  function replacementOf(all: string, { syntax, name, fallback }: Reference): string | undefined {
    const place = syntax === "braced" && namesPlaces(variables) ? known.get(name) : undefined;
    if (variables.includes(syntax)) return place ?? variableOf(surroundings, name) ?? fallback;
    return place ?? (all.startsWith(opening) ? undefined : all);
  }
}

/** The first of the variables in a text that the host does not know, so that its server gets their names. */
export function unreplaced(text: string, { variables }: Pick<Host, "variables">): string | undefined {
  for (const [all, ...found] of text.matchAll(references)) {
    const { syntax } = referenceOf(found);
    const isPlace = syntax === "braced" && namesPlaces(variables);
    if (all.startsWith(opening) && !variables.includes(syntax) && !isPlace) return all;
  }
  return undefined;
}

const opening = "$" + "{";

/** Hosts that replace `${env:NAME}` also replace `${workspaceFolder}`. */
function namesPlaces(variables: readonly VariableSyntax[]): boolean {
  return variables.includes("prefixed") || variables.includes("braced");
}

/**
 * Anything that looks like `${...}`, the host's own or not: a server that was started with a variable's name where its value
 * should stand would be another server than the one that the host starts.
 */
const references =
  /\$\{\{\s*([^}]*?)\s*\}\}|\$\{([^}]*)\}|(?<![\\$A-Za-z0-9])\$([A-Za-z_][A-Za-z0-9_]*)|%([A-Za-z_][A-Za-z0-9_]*)%|\{((?:env|file):[^}]*)\}/g;

interface Reference {
  readonly syntax: VariableSyntax;
  readonly name: string;
  readonly fallback?: string;
}

function referenceOf([secret, braced, bare, percent, curly]: readonly (string | undefined)[]): Reference {
  if (secret !== undefined) return { syntax: "secrets", name: secret.replace(/^secrets\./, "") };
  if (bare !== undefined) return { syntax: "bare", name: bare };
  if (percent !== undefined) return { syntax: "percent", name: percent };
  if (curly !== undefined) return { syntax: "curly", name: curly.replace(/^env:/, "") };
  const [, prefixed] = /^env:(.*)$/s.exec(braced ?? "") ?? [];
  if (prefixed !== undefined) return { syntax: "prefixed", name: prefixed };
  const [, name, fallback] = /^([^:]*):-(.*)$/s.exec(braced ?? "") ?? [];
  if (name !== undefined && fallback !== undefined) return { syntax: "defaulted", name, fallback };
  return { syntax: "braced", name: braced ?? "" };
}
