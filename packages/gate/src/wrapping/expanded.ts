import type { Host, VariableSyntax } from "../hosts/host.ts";

export interface Around {
  readonly env: ReadonlyMap<string, string>;
  readonly home: string;
  /** The folder that the host would have opened, where the entry says which. */
  readonly workspace: string | undefined;
}

export type Expanded =
  | { readonly is: "text"; readonly text: string }
  /** Only the host knows what it stands for: `${input:token}`. */
  | { readonly is: "unknown"; readonly variable: string };

/** A text of an entry as the host would give it to the server. */
export function expanded(text: string, { variables }: Pick<Host, "variables">, around: Around): Expanded {
  let unknown: string | undefined;
  let result = text;
  for (const syntax of variables) {
    result = result.replace(patterns[syntax], (all: string, name: string, fallback?: string) => {
      const value = syntax === "prefixed" ? prefixed(name, around) : around.env.get(name);
      if (value !== undefined) return value;
      if (syntax === "defaulted") return fallback ?? "";
      unknown ??= all;
      return all;
    });
  }
  return unknown === undefined ? { is: "text", text: result } : { is: "unknown", variable: unknown };
}

const name = "([A-Za-z_][A-Za-z0-9_]*)";
const patterns: Readonly<Record<VariableSyntax, RegExp>> = {
  braced: new RegExp(`\\$\\{${name}\\}`, "g"),
  defaulted: new RegExp(`\\$\\{${name}:-([^}]*)\\}`, "g"),
  prefixed: /\$\{([A-Za-z]+(?::[^}]*)?)\}/g,
  secrets: new RegExp(`\\$\\{\\{\\s*secrets\\.${name}\\s*\\}\\}`, "g"),
  bare: new RegExp(`\\$${name}`, "g"),
  percent: new RegExp(`%${name}%`, "g"),
  curly: new RegExp(`\\{env:${name}\\}`, "g"),
};

function prefixed(variable: string, { env, home, workspace }: Around): string | undefined {
  if (variable.startsWith("env:")) return env.get(variable.slice(4)) ?? "";
  if (variable === "userHome") return home;
  if (variable === "workspaceFolder") return workspace;
  return variable === "pathSeparator" ? "/" : undefined;
}
