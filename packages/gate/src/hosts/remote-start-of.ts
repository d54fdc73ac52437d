import { isHeaderValue } from "../gateway/header-problem.ts";
import { urlProblem } from "../gateway/url-problem.ts";
import type { Remote } from "../gateway/usable-reach.ts";
import type { Entry, Reach } from "./entry.ts";
import { expand } from "./expand.ts";
import { guardedBy } from "./guarded-by.ts";
import type { Surroundings } from "./host.ts";
import { hostOf } from "./hosts.ts";
import { type Impossible, knownOf } from "./start-of.ts";

export type RemoteStart =
  /** `said`: the URL, as the host would say it. */
  | ({ readonly is: "remote"; readonly said: string; readonly transport: "auto" | "http" | "sse" } & Remote)
  | { readonly is: "impossible"; readonly because: Impossible; readonly what: string };

/** Where the host would reach an entry's server, with the variables replaced. */
export function remoteStartOf(
  entry: Entry,
  reach: Extract<Reach, { is: "remote" }>,
  surroundings: Surroundings,
): RemoteStart {
  const { variables } = hostOf(entry.host);
  // Behind the gate, the gate puts in what the host has left.
  const guarded = guardedBy(entry) !== undefined;
  const host = { variables: guarded ? [...variables, "braced" as const, "defaulted" as const] : variables };
  const known = knownOf(entry, surroundings);
  const impossible = (because: Impossible, what: string) => ({ is: "impossible", because, what }) as const;
  const url = expand(reach.url, host, surroundings, known);
  if (url.is === "unknown") return impossible("UNKNOWN_VARIABLE", url.variable);
  const problem = urlProblem(url.text);
  if (problem !== undefined) return impossible("BAD_URL", problem);
  const headers = new Map<string, string>();
  for (const [name, value] of reach.headers) {
    const expanded = expand(value, host, surroundings, known);
    if (expanded.is === "unknown") return impossible("UNKNOWN_VARIABLE", expanded.variable);
    const text = expanded.text.trim();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(name) || !isHeaderValue(text))
      return impossible("BAD_HEADER", name);
    headers.set(name.toLowerCase(), text);
  }
  return { is: "remote", said: url.text, url: new URL(url.text), headers, transport: transportOf(reach) };
}

/** A host that names no transport tries both. */
export function transportOf({ transport }: Extract<Reach, { is: "remote" }>): "auto" | "http" | "sse" {
  return transport === "http" || transport === "sse" ? transport : "auto";
}
