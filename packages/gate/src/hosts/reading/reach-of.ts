import type { Json, JsonObject } from "@countersign/core";
import type { Oddity, Reach } from "../entry.ts";
import { unreplaced } from "../expand.ts";
import type { Host } from "../host.ts";
import { wordsOf } from "./words-of.ts";

/** How a server is reached by what one entry says, in whichever of the hosts' spellings. */
export function reachOf(
  entry: Json,
  host: Pick<Host, "plainUrl" | "evaluates" | "variables">,
): { reach: Reach; oddities: readonly Oddity[] } {
  if (entry.is !== "object") return { reach: { is: "opaque", because: "NOT_AN_OBJECT" }, oddities: [] };
  const oddities: Oddity[] = [...repeatedKeys(entry)].map((key) => ({ code: "DUPLICATE_KEY", key }));
  const reach = understood(entry, host, oddities);
  const texts = textsOf(reach);
  const unknown = texts.map((text) => unreplaced(text, host)).find((text) => text !== undefined);
  if (unknown !== undefined) oddities.push({ code: "UNKNOWN_VARIABLE", text: unknown });
  const evaluated = host.evaluates === true && texts.some((text) => /\$\(|`/.test(text));
  return { reach: evaluated ? { is: "opaque", because: "SHELL" } : reach, oddities };
}

/** The last of two equal keys counts, as in every host. */
export function lastOf(json: Json | undefined, ...keys: readonly string[]): Json | undefined {
  if (json?.is !== "object") return undefined;
  for (const key of keys) {
    const found = json.members.findLast((member) => member.key === key)?.value;
    if (found !== undefined && found.is !== "null") return found;
  }
  return undefined;
}

function understood(entry: JsonObject, host: Pick<Host, "plainUrl">, oddities: Oddity[]): Reach {
  // Cline nests it, and an older Zed nested the command.
  const nested = lastOf(entry, "transport");
  const told = lastOf(entry, "command", "cmd") ?? lastOf(nested, "command", "cmd");
  const command = told?.is === "object" ? lastOf(told, "path", "command") : told;
  const from = (...keys: readonly string[]) =>
    lastOf(entry, ...keys) ?? lastOf(nested, ...keys) ?? lastOf(told, ...keys);
  const url = from("url", "serverUrl", "httpUrl", "uri");
  const type = textOf(lastOf(entry, "type") ?? (nested?.is === "string" ? nested : lastOf(nested, "type")));
  if (command !== undefined && url !== undefined) oddities.push({ code: "COMMAND_AND_URL" });
  const remote =
    url !== undefined && (command === undefined || (type !== undefined && transportOf(type) !== undefined));
  if (remote) return remoteOf(url, from("headers", "http_headers"), transportBy(type, entry, host));
  if (command === undefined) return { is: "opaque", because: "NO_COMMAND" };
  return stdioOf(command, from, oddities);
}

function remoteOf(url: Json, headers: Json | undefined, transport: "http" | "sse" | "ws" | "unknown"): Reach {
  const text = textOf(url);
  const read = headers === undefined ? new Map<string, string>() : mapOf(headers);
  if (text === undefined || read === undefined) return { is: "opaque", because: "WRONG_TYPE" };
  return { is: "remote", url: text, transport, headers: read };
}

function transportBy(type: string | undefined, entry: JsonObject, { plainUrl }: Pick<Host, "plainUrl">) {
  if (lastOf(entry, "httpUrl") !== undefined) return "http";
  return transportOf(type) ?? plainUrl ?? "unknown";
}

function transportOf(type: string | undefined): "http" | "sse" | "ws" | undefined {
  const plain = type?.toLowerCase().replace(/[-_]/g, "");
  if (plain === "http" || plain === "streamablehttp") return "http";
  return plain === "sse" || plain === "ws" ? plain : undefined;
}

function stdioOf(command: Json, from: (...keys: readonly string[]) => Json | undefined, oddities: Oddity[]): Reach {
  const words = command.is === "array" ? listOf(command) : [textOf(command)].filter((text) => text !== undefined);
  const args = from("args");
  const more = args === undefined ? [] : listOf(args);
  const env = from("env", "envs", "environment");
  const variables = env === undefined ? new Map<string, string>() : mapOf(env);
  const cwd = from("cwd", "working_directory", "workingDirectory");
  const envFile = from("envFile");
  const [folder, file] = [textOf(cwd), textOf(envFile)];
  if (command.is !== "array" && command.is !== "string") return wrongType;
  if (words === undefined || more === undefined || variables === undefined) return wrongType;
  if ((cwd !== undefined && folder === undefined) || (envFile !== undefined && file === undefined)) return wrongType;
  const [program = "", ...rest] = [...words, ...more];
  if (program.trim() === "") return { is: "opaque", because: "NO_COMMAND" };
  const line = rest.length === 0 ? wordsOf(program) : undefined;
  if (line !== undefined) oddities.push({ code: "COMMAND_LINE" });
  if (line === "shell") return { is: "opaque", because: "SHELL" };
  const [first = program, ...others] = line ?? [program, ...rest];
  return {
    ...{ is: "stdio", command: first, args: others, env: variables },
    ...(folder === undefined ? {} : { cwd: folder }),
    ...(file === undefined ? {} : { envFile: file }),
  };
}

const wrongType = { is: "opaque", because: "WRONG_TYPE" } as const;

function textOf(json: Json | undefined): string | undefined {
  return json?.is === "string" ? json.value : undefined;
}

/** Numbers and booleans are what people write for `"8080"`. */
function scalarOf(json: Json): string | undefined {
  if (json.is === "number") return json.token;
  if (json.is === "boolean") return String(json.value);
  return textOf(json);
}

function listOf(json: Json): readonly string[] | undefined {
  if (json.is !== "array") return undefined;
  const texts = json.items.map(scalarOf);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** A variable that is null is one that is not set. */
function mapOf(json: Json): ReadonlyMap<string, string> | undefined {
  if (json.is !== "object") return undefined;
  const map = new Map<string, string>();
  for (const { key, value } of json.members) {
    if (value.is === "null") continue;
    const text = scalarOf(value);
    if (text === undefined) return undefined;
    map.set(key, text);
  }
  return map;
}

function textsOf(reach: Reach): readonly string[] {
  switch (reach.is) {
    case "stdio":
      return [reach.command, ...reach.args, ...reach.env.values(), reach.cwd ?? ""];
    case "remote":
      return [reach.url, ...reach.headers.values()];
    case "opaque":
      return [];
  }
}

/** In the entry, and in what it holds. */
function* repeatedKeys(json: Json): Generator<string> {
  if (json.is === "array") for (const item of json.items) yield* repeatedKeys(item);
  if (json.is !== "object") return;
  const seen = new Set<string>();
  for (const { key, value } of json.members) {
    if (seen.has(key)) yield key;
    seen.add(key);
    yield* repeatedKeys(value);
  }
}
