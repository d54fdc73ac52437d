import { isHeaderValue } from "../gateway/header-problem.ts";
import { urlProblem } from "../gateway/url-problem.ts";
import type { Remote } from "../gateway/usable-reach.ts";
import type { Entry, Reach } from "./entry.ts";
import { expand } from "./expand.ts";
import type { Surroundings } from "./host.ts";
import { hostOf } from "./hosts.ts";
import { type Impossible, knownOf } from "./start-of.ts";

export type RemoteStart =
  | ({ readonly is: "remote"; readonly transport: "auto" | "http" | "sse" } & Remote)
  | { readonly is: "impossible"; readonly because: Impossible; readonly what: string };

/** Where the host would reach an entry's server, with the variables replaced. */
export function remoteStartOf(
  entry: Entry,
  reach: Extract<Reach, { is: "remote" }>,
  surroundings: Surroundings,
): RemoteStart {
  const host = hostOf(entry.host);
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
  return { is: "remote", url: new URL(url.text), headers, transport: transportOf(reach) };
}

/** A host that names no transport tries both. */
export function transportOf({ transport }: Extract<Reach, { is: "remote" }>): "auto" | "http" | "sse" {
  return transport === "http" || transport === "sse" ? transport : "auto";
}
