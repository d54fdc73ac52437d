import { memberOf } from "@countersign/core";
import type { FileTree } from "./file-tree.ts";
import { fileAt } from "./file-tree.ts";
import { claims, type Manifest, remainder } from "./format.ts";
import { readObject } from "./json-manifest.ts";
import { type Outcome, read, refused } from "./manifest-problem.ts";
import { readPluginFiles } from "./plugin-files.ts";
import { entriesOf, nameIn, without } from "./said.ts";

export const claudePluginFile = ".claude-plugin/plugin.json";

/** A plugin of Claude Code: its manifest, and all that lies in its folder. */
export function readClaudePlugin(tree: FileTree): Outcome<Manifest> {
  return readPlugin(tree, claudePluginFile, "claude-plugin");
}

export const geminiExtensionFile = "gemini-extension.json";

/** An extension of Gemini CLI. The file that its model is always given is one of the folder's. */
export function readGeminiExtension(tree: FileTree): Outcome<Manifest> {
  return readPlugin(tree, geminiExtensionFile, "gemini-extension");
}

function readPlugin(tree: FileTree, path: string, format: Manifest["format"]): Outcome<Manifest> {
  const file = fileAt(tree, path);
  if (file === undefined) return refused("NO_MANIFEST", path);
  const object = readObject(file);
  if (object.is === "refused") return object;
  const { json, text } = object.value;
  const files = readPluginFiles(tree, path);
  if (files.is === "refused") return files;
  const servers = memberOf(json, "mcpServers");
  const inside = servers?.is === "object";
  const said = [
    ...(inside ? claims("own-server", entriesOf(servers, text, "name")) : []),
    remainder(without(inside ? ["mcpServers"] : [], json, text)),
    ...files.value.said,
  ];
  return read({ format, name: nameIn(memberOf(json, "name"), text), said, notes: files.value.notes });
}
