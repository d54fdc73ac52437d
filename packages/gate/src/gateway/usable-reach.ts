import { isAbsolute } from "node:path";
import type { Command } from "@countersign/wire";
import { expand } from "../hosts/expand.ts";
import type { Surroundings } from "../hosts/host.ts";
import { inheritedFrom } from "../library/inherited-from.ts";
import type { HttpReach, StdioReach } from "./gateway-settings.ts";
import { isHeaderValue } from "./header-problem.ts";
import { urlProblem } from "./url-problem.ts";

/** A reach with the values of its variables, which are secrets more often than not. */
export type Usable<T> =
  | { readonly is: "usable"; readonly value: T }
  | { readonly is: "impossible"; readonly problems: readonly ReachProblem[] };

/** `at`: the member of the config, as in `env.TOKEN`. No value of a variable stands here. */
export interface ReachProblem {
  readonly at: string;
  readonly code: "NO_VARIABLE" | "NUL" | "NO_COMMAND" | "NOT_ABSOLUTE" | "BAD_HEADER" | "BAD_URL";
  /** The variable that has no value, as it is written. */
  readonly variable?: string;
}

export interface Remote {
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * The command that starts a server, by the variables as they are now. It gets those that the SDKs give a server, and its own:
 * what the gateway was given for one server is no other's.
 */
export function commandOf(reach: StdioReach, surroundings: Surroundings): Usable<Command> {
  const problems: ReachProblem[] = [];
  const put = putter(surroundings, problems);
  const command = put("command", reach.command);
  const args = reach.args.map((arg, index) => put(`args.${index}`, arg));
  const own = [...reach.env].map(([name, value]) => [name, put(`env.${name}`, value)] as const);
  const cwd = reach.cwd === undefined ? surroundings.home : put("cwd", reach.cwd);
  if (problems.length === 0) {
    if (command === "") problems.push({ at: "command", code: "NO_COMMAND" });
    if (!isAbsolute(cwd)) problems.push({ at: "cwd", code: "NOT_ABSOLUTE" });
  }
  if (problems.length > 0) return { is: "impossible", problems };
  const env = Object.fromEntries([...Object.entries(inherited(surroundings)), ...own]);
  return { is: "usable", value: { command, args, cwd, env } };
}

/** Where a server is, and the operator's headers of the requests to it, by the variables as they are now. */
export function remoteOf(reach: Pick<HttpReach, "url" | "headers">, surroundings: Surroundings): Usable<Remote> {
  const problems: ReachProblem[] = [];
  // A value must not become a further part of the URL, nor another host.
  const encoded = new Map([...surroundings.env].map(([name, value]) => [name, encodeURIComponent(value)]));
  const url = putter({ ...surroundings, env: encoded }, problems)("url", reach.url);
  const put = putter(surroundings, problems);
  const headers = new Map([...reach.headers].map(([name, value]) => [name, put(`headers.${name}`, value)]));
  if (problems.length === 0) {
    if (urlProblem(url) !== undefined) problems.push({ at: "url", code: "BAD_URL" });
    for (const [name, value] of headers)
      if (!isHeaderValue(value)) problems.push({ at: `headers.${name}`, code: "BAD_HEADER" });
  }
  if (problems.length > 0) return { is: "impossible", problems };
  return { is: "usable", value: { url: new URL(url), headers } };
}

/** A value is put in once, and never read for variables again. */
function putter(surroundings: Surroundings, problems: ReachProblem[]): (at: string, text: string) => string {
  return (at, text) => {
    const expanded = expand(text, { variables: ["braced", "defaulted"] }, surroundings, new Map());
    if (expanded.is === "unknown") problems.push({ at, code: "NO_VARIABLE", variable: expanded.variable });
    else if (expanded.text.includes("\0")) problems.push({ at, code: "NUL" });
    return expanded.is === "text" ? expanded.text : "";
  };
}

function inherited({ env, platform }: Surroundings) {
  return inheritedFrom(Object.fromEntries(env), platform);
}
