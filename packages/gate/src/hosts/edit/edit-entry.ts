import { isDeepStrictEqual } from "node:util";
import type { Json } from "@countersign/core";
import type { Entry } from "../entry.ts";
import type { Host } from "../host.ts";
import { readHostFile } from "../read-host-file.ts";
import { readDocument } from "../reading/read-document.ts";
import { locate } from "./locate.ts";
import { locatedAt } from "./located.ts";
import { renameWords } from "./rename-words.ts";
import { type Spelling, spellingOf } from "./spelling.ts";
import { type Splice, spliced } from "./splice.ts";
import { unwrapEntry, type Was } from "./unwrap-entry.ts";
import { type Wrapping, wrapEntry } from "./wrap-entry.ts";

export type Change =
  | ({ readonly is: "wrap" } & Wrapping)
  | { readonly is: "unwrap"; readonly guard: number; readonly was?: Was }
  | { readonly is: "rename"; readonly words: ReadonlyMap<number, string> };

/** What the entry is to start afterwards. */
export interface Meant {
  readonly command: string;
  readonly args: readonly string[];
}

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
  const splices = located && splicesFor(text, located, change, spellingOf(file.format));
  if (splices === undefined) return { is: "refused", because: "CANNOT_EDIT" };
  const edited = spliced(text, splices);
  return isAsMeant(host, entry, { text, edited }, meant)
    ? { is: "edited", text: edited }
    : { is: "refused", because: "NOT_AS_MEANT" };
}

function splicesFor(
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
    case "rename":
      return renameWords(located, change.words, spelling);
  }
}

function isAsMeant(
  host: Host,
  { file, at, reach }: Entry,
  { text, edited }: { readonly text: string; readonly edited: string },
  { command, args }: Meant,
): boolean {
  const { entries, problems } = readHostFile(host, file, Buffer.from(edited));
  const now = entries.find((one) => isDeepStrictEqual(one.at, at));
  if (problems.some(({ code }) => code === "SYNTAX") || now?.reach.is !== "stdio" || reach.is !== "stdio") return false;
  if (!isDeepStrictEqual(now.reach, { ...reach, command, args })) return false;
  return isDeepStrictEqual(restOf(text, file.format, at), restOf(edited, file.format, at));
}

/** Everything that a document says but the command of one entry. */
function restOf(text: string, format: Entry["file"]["format"], at: Entry["at"]): unknown {
  if (format === "shell") return undefined;
  const { root } = { root: undefined, ...readDocument(format, Buffer.from(text)) };
  return root === undefined ? undefined : contentOf(root, at, []);
}

const ofCommand: ReadonlySet<string> = new Set(["command", "cmd", "path", "args"]);

/** Members are sorted, so that only what stands there counts; of equal keys each counts, in their order. */
function contentOf(json: Json, at: Entry["at"], here: readonly (string | number)[]): unknown {
  switch (json.is) {
    case "object": {
      const inside = here.length >= at.length && at.every((key, index) => here[index] === key);
      const isEntry = inside && here.slice(at.length).every((key) => key === "transport" || ofCommand.has(String(key)));
      const members = json.members
        .filter(({ key }) => !(isEntry && ofCommand.has(key)))
        .map(({ key, value }) => [key, contentOf(value, at, [...here, key])] as const);
      return members.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    }
    case "array":
      return json.items.map((item, index) => contentOf(item, at, [...here, index]));
    case "number":
      return { number: json.token };
    case "string":
    case "boolean":
      return json.value;
    case "null":
      return null;
  }
}
