import { asServerName, type ServerName } from "@countersign/core";
import { packagesOf, programOf } from "../launch/floating.ts";
import type { Entry, Reach } from "./entry.ts";

export interface Guarded {
  /** Under which it is in the ledger. */
  readonly server: ServerName;
  /** What stands between `run` and `--` besides the name: `--ledger <path>`. */
  readonly options: readonly string[];
  /** How `countersign` itself is called, up to and without `run`. */
  readonly by: readonly string[];
  /** The server behind the guard, as the entry would have it without one. */
  readonly behind: Exclude<Reach, { is: "opaque" }>;
}

/**
 * The server behind `countersign run <name> -- <command...>` or `countersign run <name> --url <url>`, however that is spelled; undefined where the entry is not
 * guarded. Only words are compared: who writes an entry may as well write a program that only looks like Countersign.
 */
export function guardedBy({ reach }: Pick<Entry, "reach">): Guarded | undefined {
  if (reach.is !== "stdio") return undefined;
  const words = [reach.command, ...reach.args];
  const dashes = words.indexOf("--", words.indexOf("run"));
  const end = dashes === -1 ? words.length : dashes;
  for (let at = words.indexOf("run"); at !== -1 && at < end; at = words.indexOf("run", at + 1)) {
    if (!isCountersign(words.slice(0, at))) continue;
    const { names, options } = split(words.slice(at + 1, end));
    const server = names.length === 1 ? asServerName(names[0] ?? "") : undefined;
    const [command, ...args] = words.slice(end + 1);
    const behind = command === undefined ? remoteIn(options, reach.env) : { ...reach, command, args };
    if (server === undefined || behind === undefined) return undefined;
    return { server, options, by: words.slice(0, at), behind };
  }
  return undefined;
}

/** What `--url`, `--transport`, `--header` and `--header-from` say. */
function remoteIn(
  options: readonly string[],
  env: ReadonlyMap<string, string>,
): Extract<Reach, { is: "remote" }> | undefined {
  const said = new Map<string, string[]>();
  for (let at = 0; at < options.length; at++) {
    const [option = "", joined] = (options[at] ?? "").split(/=(.*)/s);
    const value = joined ?? options[++at] ?? "";
    said.set(option, [...(said.get(option) ?? []), value]);
  }
  const [url] = said.get("--url") ?? [];
  if (url === undefined) return undefined;
  const [transport] = said.get("--transport") ?? [];
  const headers = new Map<string, string>();
  for (const header of said.get("--header") ?? []) {
    const [, name = "", value = ""] = /^([^:]*):(.*)$/s.exec(header) ?? [];
    headers.set(name.trim(), value.trim());
  }
  for (const from of said.get("--header-from") ?? []) {
    const [name = "", variable = ""] = from.split(/=(.*)/s);
    headers.set(name.trim(), env.get(variable) ?? `\${${variable}}`);
  }
  return { is: "remote", url, transport: transport === "http" || transport === "sse" ? transport : "unknown", headers };
}

/** `countersign`, `node .../countersign/dist/bin.js`, `npx -y countersign@0.1.0`, each also behind `cmd /c` or `env A=b`. */
function isCountersign(words: readonly string[]): boolean {
  const [command = "", ...args] = words;
  const program = programOf(command);
  const last = words.at(-1) ?? "";
  if (words.length === 1) return program === "countersign" || isScript(command);
  if (program === "cmd" && /^\/[cs]$/i.test(args[0] ?? "")) return isCountersign(args.slice(1));
  if (program === "env") return isCountersign(args.slice(args.findIndex((word) => !/^-|^[A-Za-z_]\w*=/.test(word))));
  if (program === "node" || program === "nodejs" || program === "bun") {
    // Flags of Node's own may come before the script, and nothing between it and `run`.
    return isScript(last) && args.slice(0, -1).every((word) => word.startsWith("-"));
  }
  // The package that the runner fetches is the last word before `run`, or the last but one where a command is named apart.
  const packages = packagesOf(command, [...args, "run"]) ?? [];
  return packages.length === 1 && /^countersign(?:@[\w.^~-]+)?$/.test(packages[0] ?? "") && /^countersign/.test(last);
}

/** The package's own script, the repository's, or the link to it that npm makes. */
function isScript(path: string): boolean {
  return /(?:^|[\\/])(?:(?:countersign|gate)[\\/](?:dist[\\/]bin\.js|src[\\/]bin\.ts)|\.bin[\\/]countersign(?:\.cmd|\.ps1)?)$/i.test(
    path,
  );
}

function split(words: readonly string[]): { readonly names: readonly string[]; readonly options: readonly string[] } {
  const names: string[] = [];
  const options: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) names.push(word);
    else if (word.includes("=")) options.push(word);
    else options.push(word, words[++at] ?? "");
  }
  return { names, options };
}
