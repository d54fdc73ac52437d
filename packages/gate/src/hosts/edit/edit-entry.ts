import { isDeepStrictEqual } from "node:util";
import type { Json } from "@countersign/core";
import type { Entry } from "../entry.ts";
import type { Host } from "../host.ts";
import { readHostFile } from "../read-host-file.ts";
import { readDocument } from "../reading/read-document.ts";
import { locate } from "./locate.ts";
import { locatedAt } from "./located.ts";
import { type RemoteSaid, type RemoteWrapping, unwrapRemote, type WasRemote, wrapRemote } from "./remote-entry.ts";
import { renameWords } from "./rename-words.ts";
import { type Spelling, spellingOf } from "./spelling.ts";
import { type Splice, spliced } from "./splice.ts";
import { unwrapEntry, type Was } from "./unwrap-entry.ts";
import { type Wrapping, wrapEntry } from "./wrap-entry.ts";

export type Change =
  | ({ readonly is: "wrap" } & Wrapping)
  | { readonly is: "unwrap"; readonly guard: number; readonly was?: Was }
  | ({ readonly is: "wrap-remote" } & RemoteWrapping)
  | {
      readonly is: "unwrap-remote";
      readonly behind: RemoteSaid;
      readonly transport: string;
      readonly was?: WasRemote;
    }
  | { readonly is: "rename"; readonly words: ReadonlyMap<number, string> };

/** What the entry is to start afterwards, or where its server is; with `env`, it had none before. */
export type Meant =
  | { readonly command: string; readonly args: readonly string[]; readonly env?: ReadonlyMap<string, string> }
  | RemoteSaid;

export type Edited =
  | { readonly is: "edited"; readonly text: string }
  /** The file is left alone. */
  | { readonly is: "refused"; readonly because: "BROKEN_FILE" | "CANNOT_EDIT" | "NOT_AS_MEANT" };

/**
 * Changes what one entry starts, and nothing else of the file. The result is read again by the reader of the host's files:
 * it counts only where the entry says what is meant, and everything else what it said.
 *
 * @param text without its byte order mark
 */
export function editEntry(host: Host, entry: Entry, text: string, change: Change, meant: Meant): Edited {
  const { file } = entry;
  if (file.format === "shell") return { is: "refused", because: "CANNOT_EDIT" };
  const root = locate(file.format, text);
  if (root === undefined) return { is: "refused", because: "BROKEN_FILE" };
  const located = locatedAt(root, entry.at);
  const splices = located && splicesFor(host, text, located, change, spellingOf(file.format));
  if (splices === undefined) return { is: "refused", because: "CANNOT_EDIT" };
  const edited = spliced(text, splices);
  return isAsMeant(host, entry, { text, edited }, meant)
    ? { is: "edited", text: edited }
    : { is: "refused", because: "NOT_AS_MEANT" };
}

function splicesFor(
  { id }: Host,
  text: string,
  located: Parameters<typeof wrapEntry>[1],
  change: Change,
  spelling: Spelling,
): readonly Splice[] | undefined {
  switch (change.is) {
    case "wrap":
      return wrapEntry(text, located, change, spelling);
    case "unwrap":
      return unwrapEntry(text, located, change, spelling);
    case "wrap-remote":
      return wrapRemote(id, text, located, change, spelling);
    case "unwrap-remote":
      return unwrapRemote(text, located, change, spelling);
    case "rename":
      return renameWords(located, change.words, spelling);
  }
}

function isAsMeant(
  host: Host,
  { file, at, reach }: Entry,
  { text, edited }: { readonly text: string; readonly edited: string },
  meant: Meant,
): boolean {
  const { entries, problems } = readHostFile(host, file, Buffer.from(edited));
  const now = entries.find((one) => isDeepStrictEqual(one.at, at));
  if (problems.some(({ code }) => code === "SYNTAX") || now === undefined) return false;
  if (!isReached(now.reach, reach, meant)) return false;
  const isRemote = reach.is === "remote" || "url" in meant;
  const rest = (of: string) => restOf(of, file.format, at, isRemote ? ofRemote : ofCommand);
  return isDeepStrictEqual(rest(text), rest(edited));
}

function isReached(now: Entry["reach"], before: Entry["reach"], meant: Meant): boolean {
  if ("url" in meant) {
    return now.is === "remote" && isDeepStrictEqual([now.url, now.headers], [meant.url, meant.headers]);
  }
  if (now.is !== "stdio") return false;
  const { command, args, env } = meant;
  if (before.is === "remote") return isDeepStrictEqual(now, { is: "stdio", command, args, env: env ?? new Map() });
  return before.is === "stdio" && isDeepStrictEqual(now, { ...before, command, args });
}

/** Everything that a document says but the command of one entry. */
function restOf(
  text: string,
  format: Entry["file"]["format"],
  at: Entry["at"],
  changing: ReadonlySet<string>,
): unknown {
  if (format === "shell") return undefined;
  const { root } = { root: undefined, ...readDocument(format, Buffer.from(text)) };
  return root === undefined ? undefined : contentOf(root, at, [], changing);
}

const ofCommand: ReadonlySet<string> = new Set(["command", "cmd", "path", "args"]);
const ofRemote: ReadonlySet<string> = new Set([
  ...ofCommand,
  ...["type", "url", "serverUrl", "httpUrl", "uri", "headers", "http_headers", "env", "envs", "environment"],
]);

/** Members are sorted, so that only what stands there counts; of equal keys each counts, in their order. */
function contentOf(
  json: Json,
  at: Entry["at"],
  here: readonly (string | number)[],
  changing: ReadonlySet<string>,
): unknown {
  switch (json.is) {
    case "object": {
      const inside = here.length >= at.length && at.every((key, index) => here[index] === key);
      const isEntry = inside && here.slice(at.length).every((key) => key === "transport" || changing.has(String(key)));
      const members = json.members
        .filter(({ key }) => !(isEntry && changing.has(key)))
        .map(({ key, value }) => [key, contentOf(value, at, [...here, key], changing)] as const);
      return members.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    }
    case "array":
      return json.items.map((item, index) => contentOf(item, at, [...here, index], changing));
    case "number":
      return { number: json.token };
    case "string":
    case "boolean":
      return json.value;
    case "null":
      return null;
  }
}
