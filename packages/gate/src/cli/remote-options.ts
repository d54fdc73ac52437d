import { Option } from "commander";
import { GateError } from "../gate-error.ts";
import { readRemoteReach } from "../remote/read-remote-reach.ts";
import type { Target } from "../remote/target.ts";

export const urlOption = new Option(
  "--url <url>",
  "instead of a command: where the server is, https, or http on this machine",
);
export const headerOption = new Option(
  "--header <header>",
  "a header of every request to --url; $" + "{NAME} stands for a variable; may be repeated",
).argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
export const transportOption = new Option(
  "--transport <kind>",
  "of --url: auto, http (Streamable HTTP) or sse (the older HTTP with SSE)",
);

export interface RemoteWords {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly transport?: string;
}

/** What a command line names: a command, or a URL; undefined where it names neither. */
export function targetIn(
  { url, header, transport }: RemoteWords,
  [command, ...args]: readonly string[],
  doing: string,
): Target | undefined {
  if (url === undefined) {
    if (header !== undefined || transport !== undefined)
      throw new GateError("USAGE", `Cannot ${doing}: --header and --transport say nothing without --url`);
    return command === undefined ? undefined : { is: "stdio", command: { command, args } };
  }
  if (command !== undefined)
    throw new GateError("USAGE", `Cannot ${doing}: a server has a --url or a command, not both`);
  return { is: "http", ...readRemoteReach({ doing, url, headers: header ?? [], transport }) };
}
