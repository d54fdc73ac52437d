import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { asServerName, decodeUtf8, type ServerName, type Source, sources } from "@countersign/core";
import { GateError } from "../gate-error.ts";
import type { Capture } from "./capture.ts";
import { endOfString, locate, type Spot } from "./spot.ts";

/**
 * The offers in the `*.json` files of a folder, one file a server, which is named for the file. A file holds either
 * `{ initialize, tools: { pages }, prompts: { pages }, resources: { pages }, resourceTemplates: { pages } }`, where a
 * list that failed has an `error` or no pages, or `{ results: { <method>: result or { code, message } } }`.
 *
 * The results are taken as they are written but for the file's own layout: nothing is parsed and written again.
 *
 * @throws GateError where a file cannot be read as either form, or the folder holds no offer
 */
export async function readCapturedOffers(folder: string): Promise<readonly Capture[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json")).sort();
  const offers: Capture[] = [];
  for (const file of files) offers.push(...(await readCapturedFile(join(folder, file))));
  if (offers.length === 0)
    throw new GateError(
      "USAGE",
      `Cannot read captured offers "${folder}": it holds none; give a folder of .json captures`,
    );
  return offers;
}

/** The offers in one of those files. */
export async function readCapturedFile(path: string): Promise<readonly Capture[]> {
  const problem = (what: string, cause?: unknown) =>
    new GateError("USAGE", `Cannot read captured offers "${path}": ${what}`, { cause });
  const server = asServerName(basename(path, ".json"));
  if (server === undefined) throw problem("its name is no server name");
  const text = decodeUtf8(await readFile(path));
  if (text === undefined) throw problem("it is not UTF-8");
  return offersIn(server, text, problem);
}

function offersIn(
  server: ServerName,
  text: string,
  problem: (what: string, cause?: unknown) => Error,
): readonly Capture[] {
  try {
    JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw problem("it is not JSON", error);
    throw error;
  }
  const file = locate(text);
  const results = member(file, "results");
  const offers = sources.flatMap((source): Capture[] => {
    const found = results === undefined ? pagesOf(file, source) : resultOf(results, source);
    return found.length === 0
      ? []
      : [{ server, source, pages: found.map(({ start, end }) => withoutLayout(text.slice(start, end))) }];
  });
  if (offers.length === 0) throw problem("it holds neither results nor pages of a list");
  return offers;
}

const fieldOf: ReadonlyMap<Source, string> = new Map([
  ["initialize", "initialize"],
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
]);

function pagesOf(file: Spot, source: Source): readonly Spot[] {
  const field = fieldOf.get(source);
  const found = field === undefined ? undefined : member(file, field);
  if (found === undefined || member(found, "error") !== undefined) return [];
  if (source === "initialize") return [found];
  const pages = member(found, "pages");
  return pages?.is === "array" ? pages.items : [];
}

function resultOf(results: Spot, source: Source): readonly Spot[] {
  const result = member(results, source);
  const failed =
    result !== undefined && member(result, "code") !== undefined && member(result, "message") !== undefined;
  return result === undefined || failed ? [] : [result];
}

function member(spot: Spot, key: string): Spot | undefined {
  return spot.is === "object" ? spot.members.get(key)?.value : undefined;
}

/** JSON without the white space between its tokens, which the file has for its readers. Strings are copied whole. */
function withoutLayout(text: string): string {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const start = at;
    if (text[at] === '"') at = endOfString(text, at);
    else while (at < text.length && text[at] !== '"') at++;
    const token = text.slice(start, at);
    tokens.push(text[start] === '"' ? token : token.replace(/[ \t\r\n]+/g, ""));
  }
  return tokens.join("");
}
