import type { Entry } from "../entry.ts";
import { commandIn } from "./command-in.ts";
import { locate } from "./locate.ts";
import { locatedAt } from "./located.ts";
import { type RemoteWrapping, type WasRemote, wasRemote, wrapRemote } from "./remote-entry.ts";
import { spellingOf } from "./spelling.ts";
import type { Was } from "./unwrap-entry.ts";
import type { Pinned } from "./wrap-entry.ts";

/** What has to be remembered of an entry that is to be wrapped. */
export function wasOf(entry: Entry, text: string, pinned?: Pinned): Was | undefined {
  if (entry.file.format === "shell" || entry.reach.is !== "stdio") return undefined;
  const root = locate(entry.file.format, text);
  const located = root && locatedAt(root, entry.at);
  const found = located && commandIn(located);
  if (found === undefined) return undefined;
  const { value } = found.command;
  const items = [...(found.args?.list.items ?? []), ...(value.is === "array" ? value.items : [])];
  const pin = items.find((item) => item.value.is === "scalar" && item.value.value === pinned?.from)?.value;
  const { command, args } = entry.reach;
  const isLine = entry.oddities.some(({ code }) => code === "COMMAND_LINE");
  return {
    source: text.slice(value.start, value.end),
    value: value.is === "scalar" ? (value.value ?? "") : "",
    ...(isLine ? { line: [command, ...args] } : {}),
    hadArgs: found.args !== undefined,
    ...(pinned === undefined
      ? {}
      : { pinned: { ...pinned, source: pin === undefined ? "" : text.slice(pin.start, pin.end) } }),
  };
}

/** The same of an entry with a URL. */
export function wasRemoteOf(entry: Entry, text: string, wrapping: RemoteWrapping): WasRemote | undefined {
  const { format } = entry.file;
  if (format === "shell") return undefined;
  const root = locate(format, text);
  const located = root && locatedAt(root, entry.at);
  const splices = located && wrapRemote(entry.host, text, located, wrapping, spellingOf(format));
  return located === undefined || splices === undefined ? undefined : wasRemote(text, located, splices);
}
