import { canonicalize, type Json, type JsonObject, memberOf, readJson } from "@countersign/core";
import { urlProblem } from "../gateway/url-problem.ts";
import { secret } from "../launch/without-secrets.ts";
import type { Target } from "../remote/target.ts";

/**
 * As much of a launch as another machine has, too: the command line, why it floats, and of the variables that steer it those that
 * the project sets. Which files they lead to differs from one machine to the next, so each pins its own; a program of the project
 * itself is named by its path.
 *
 * @param set variables that the project's host configs set for this server
 */
export function portableLaunch(launch: Json, set: ReadonlySet<string>): Json {
  // A URL is the same on every machine.
  if (memberOf(launch, "url") !== undefined) return launch;
  const path = memberOf(memberOf(launch, "executable"), "path");
  const own = path?.is === "string" && path.value.startsWith(`${folderMark}/`) ? path : undefined;
  const members = ["command", "args", "floating"].flatMap((key) => {
    const value = memberOf(launch, key);
    return value === undefined ? [] : [`${JSON.stringify(key)}:${canonicalize(value)}`];
  });
  const steering = [...environmentOf(launch)].filter(([name]) => set.has(name));
  if (steering.length > 0) {
    const pairs = steering.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    members.push(`"environment":{${pairs.join(",")}}`);
  }
  if (own !== undefined) members.push(`"executable":${canonicalize(own)}`);
  const reading = readJson(`{${members.join(",")}}`);
  if (reading.is === "refused") throw new RangeError(`a part of a launch is no JSON: ${reading.refusal.code}`);
  return reading.json;
}

/** Whether two portable launches start the same, whatever variables are set. */
export function isSameCommand(one: Json, other: Json): boolean {
  const words = (launch: Json) =>
    JSON.stringify(
      ["command", "args", "executable", "url", "transport", "headers"].map((key) => canonicalOf(memberOf(launch, key))),
    );
  return words(one) === words(other);
}

function canonicalOf(json: Json | undefined): string {
  return json === undefined ? "" : canonicalize(json);
}

/** What a portable launch starts in a folder, or where its server is; or why it cannot be told. */
export function targetOf(
  launch: Json,
  { folder, home }: { readonly folder: string; readonly home: string },
): Target | { readonly because: "SECRET" | "NO_COMMAND" } {
  const url = textOf(memberOf(launch, "url"));
  if (url !== undefined) return remoteTargetOf(launch, url);
  const command = textOf(memberOf(launch, "executable")) ?? textOf(memberOf(launch, "command"));
  const args = textsOf(memberOf(launch, "args"));
  if (command === undefined || command === "" || args === undefined) return { because: "NO_COMMAND" };
  if ([command, ...args].some((word) => word.includes(secret))) return { because: "SECRET" };
  const placed = (word: string) => word.replaceAll(folderMark, () => folder).replaceAll(homeMark, () => home);
  return { is: "stdio", command: { command: placed(command), args: args.map(placed), cwd: folder } };
}

/** Whoever writes a lockfile would say to whom a variable of this machine is sent, so none is. */
function remoteTargetOf(launch: Json, url: string): Target | { readonly because: "SECRET" | "NO_COMMAND" } {
  const transport = textOf(memberOf(launch, "transport"));
  const headers = new Map<string, string>();
  const held = memberOf(launch, "headers");
  for (const { key, value } of held?.is === "object" ? held.members : []) headers.set(key, textOf(value) ?? secret);
  if ([url, ...headers.values()].some((text) => text.includes("$" + "{"))) return { because: "SECRET" };
  if (urlProblem(url) !== undefined || (transport !== "auto" && transport !== "http" && transport !== "sse"))
    return { because: "NO_COMMAND" };
  return { is: "http", url, headers, transport };
}

/** Variables that steer what is started, by name. */
export function environmentOf(launch: Json): ReadonlyMap<string, string> {
  const environment = memberOf(launch, "environment");
  const members: JsonObject["members"] = environment?.is === "object" ? environment.members : [];
  return new Map(members.flatMap(({ key, value }) => (value.is === "string" ? [[key, value.value] as const] : [])));
}

const folderMark = "$" + "{CWD}";
const homeMark = "$" + "{HOME}";

function textOf(json: Json | undefined): string | undefined {
  return json?.is === "string" ? json.value : undefined;
}

function textsOf(json: Json | undefined): readonly string[] | undefined {
  if (json?.is !== "array") return undefined;
  const texts = json.items.map(textOf);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
