import { visible } from "@countersign/core";
import { GateError } from "../gate-error.ts";
import type { HttpReach } from "../gateway/gateway-settings.ts";
import { headerProblem } from "../gateway/header-problem.ts";
import { urlProblem } from "../gateway/url-problem.ts";

export interface RemoteFlags {
  /** What cannot be done if they are wrong: `run files`. */
  readonly doing: string;
  readonly url: string;
  /** `Name: value` each. */
  readonly headers: readonly string[];
  /** `Name=VARIABLE` each: the value of a header is that of a variable, whole. */
  readonly headersFrom?: readonly string[];
  readonly transport: string | undefined;
}

/** How a server at a URL is reached, as flags say it. Nothing is put in for variables, and no value of a header is shown. */
export function readRemoteReach({
  doing,
  url,
  headers,
  headersFrom = [],
  transport = "auto",
}: RemoteFlags): Pick<HttpReach, "url" | "headers" | "transport"> {
  const cannot = (why: string) => new GateError("USAGE", `Cannot ${visible(doing)}: ${why}`);
  const problem = urlProblem(url);
  if (problem !== undefined) throw cannot(`its --url is not one to reach: ${problem}`);
  if (transport !== "auto" && transport !== "http" && transport !== "sse")
    throw cannot("--transport is auto, http (Streamable HTTP) or sse (the older HTTP with SSE)");
  const read = new Map<string, string>();
  const given = [...headers];
  for (const from of headersFrom) {
    const [, name, variable] = /^([^=]+)=([A-Za-z_][A-Za-z0-9_]*)$/.exec(from) ?? [];
    if (variable === undefined)
      throw cannot("a --header-from is a name and a variable, as in: --header-from Authorization=MY_TOKEN");
    given.push(`${name}: \${${variable}}`);
  }
  for (const header of given) {
    const colon = header.indexOf(":");
    if (colon < 1)
      throw cannot(`a --header is a name, a colon and a value, as in: --header "Authorization: Bearer \${TOKEN}"`);
    const name = header.slice(0, colon).trim();
    const value = header.slice(colon + 1).trim();
    const lower = name.toLowerCase();
    const wrong = read.has(lower) ? "one that stands there twice" : headerProblem(name, value);
    if (wrong !== undefined) throw cannot(`the --header "${visible(name.slice(0, 100))}" is ${wrong}`);
    read.set(lower, value);
  }
  return { url, headers: read, transport };
}
