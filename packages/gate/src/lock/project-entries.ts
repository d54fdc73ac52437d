import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { asServerName, decodeUtf8, type ServerName } from "@countersign/core";
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { programOf } from "../launch/floating.ts";

/** A server in a host's config that lies in the project. Whoever can commit wrote all of it. */
export interface ProjectEntry {
  /** Relative to the project's folder, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
  /** Under which it is in a ledger; undefined where its name can be none. */
  readonly server: ServerName | undefined;
  readonly reach:
    | {
        readonly is: "stdio";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: ReadonlyMap<string, string>;
      }
    | { readonly is: "remote" }
    | { readonly is: "opaque" };
}

export interface ProjectReading {
  readonly entries: readonly ProjectEntry[];
  /** Files that are there and cannot be read. */
  readonly unreadable: readonly string[];
}

/** Files in which hosts look for a project's servers, and the key that holds them. */
const files: readonly (readonly [file: string, key: string])[] = [
  [".mcp.json", "mcpServers"],
  [".vscode/mcp.json", "servers"],
  [".cursor/mcp.json", "mcpServers"],
  [".gemini/settings.json", "mcpServers"],
  [".roo/mcp.json", "mcpServers"],
  [".kiro/settings/mcp.json", "mcpServers"],
  [".amazonq/mcp.json", "mcpServers"],
  [".junie/mcp/mcp.json", "mcpServers"],
  [".github/mcp.json", "mcpServers"],
];

/** The servers that the project in a folder names. Nothing of them is expanded, and nothing is started. */
export async function projectEntries(folder: string): Promise<ProjectReading> {
  const entries: ProjectEntry[] = [];
  const unreadable: string[] = [];
  for (const [file, key] of files) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const text = decodeUtf8(await readFile(path))?.replace(/^\uFEFF/, "");
    const errors: ParseError[] = [];
    const tree = text === undefined ? undefined : parseTree(text, errors, { allowTrailingComma: true });
    if (text === undefined || tree?.type !== "object" || errors.length > 0) {
      unreadable.push(file);
      continue;
    }
    for (const [name, offset, value] of membersOf(memberOf(tree, key))) {
      const line = text.slice(0, offset).split("\n").length;
      entries.push(unguarded({ file, line, name, server: asServerName(name), reach: reachOf(value) }));
    }
  }
  return { entries, unreadable };
}

function reachOf(entry: Node): ProjectEntry["reach"] {
  const command = textOf(memberOf(entry, "command"));
  const args = memberOf(entry, "args");
  const words = args === undefined ? [] : (args.children ?? []).map(textOf);
  if (command === undefined) {
    const url = ["url", "serverUrl", "httpUrl", "uri"].some((key) => memberOf(entry, key) !== undefined);
    return { is: url ? "remote" : "opaque" };
  }
  if (command === "" || (args !== undefined && args.type !== "array") || !words.every((word) => word !== undefined)) {
    return { is: "opaque" };
  }
  const env = new Map<string, string>();
  for (const [name, , value] of membersOf(memberOf(entry, "env"))) env.set(name, String(value.value));
  return { is: "stdio", command, args: words, env };
}

/** The server behind `countersign run <name> -- <command...>`, where that is what an entry starts. */
function unguarded(entry: ProjectEntry): ProjectEntry {
  const { reach } = entry;
  if (reach.is !== "stdio") return entry;
  const { command, args } = reach;
  const at = args.indexOf("run");
  const before = args.slice(0, Math.max(at, 0));
  const ours =
    programOf(command) === "countersign"
      ? before.length === 0
      : programOf(command) === "npx" &&
        /^countersign(?:@[0-9A-Za-z.^~-]+)?$/.test(before.at(-1) ?? "") &&
        before.slice(0, -1).every((word) => /^(?:-y|--yes)$/.test(word));
  const end = args.indexOf("--", at);
  const [inner, ...rest] = args.slice(end + 1);
  const server = asServerName(args[at + 1] ?? "");
  if (at === -1 || !ours || end === -1 || inner === undefined || server === undefined) return entry;
  return { ...entry, server, reach: { ...reach, command: inner, args: rest } };
}

function memberOf(node: Node | undefined, key: string): Node | undefined {
  return membersOf(node).findLast(([name]) => name === key)?.[2]; // of two equal keys hosts take the last
}

function membersOf(node: Node | undefined): readonly (readonly [name: string, offset: number, value: Node])[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).flatMap(({ offset, children: [key, value] = [] }) =>
    value === undefined ? [] : [[String(key?.value), offset, value] as const],
  );
}

function textOf(node: Node | undefined): string | undefined {
  return node?.type === "string" ? String(node.value) : undefined;
}
