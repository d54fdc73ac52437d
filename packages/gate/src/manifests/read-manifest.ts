import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { memberOf, readJson } from "@countersign/core";
import { readAgentCard } from "./agent-card.ts";
import { readAiPlugin } from "./ai-plugin.ts";
import { readDockerCatalogue } from "./docker-catalogue.ts";
import { fileAt, type TreeFile, textOf, treeLimits } from "./file-tree.ts";
import type { Manifest } from "./format.ts";
import { type ObjectText, readObject } from "./json-manifest.ts";
import { type Outcome, read, refused } from "./manifest-problem.ts";
import { readMcpb } from "./mcpb.ts";
import { readOpenApi } from "./openapi.ts";
import { claudePluginFile, geminiExtensionFile, readClaudePlugin, readGeminiExtension } from "./plugin.ts";
import { readTree } from "./read-tree.ts";
import type { JsonText } from "./said.ts";
import { readServerJson } from "./server-json.ts";
import { readSkill, readSkills, skillFolders } from "./skill.ts";

/** Reads whatever manifest stands at a path: a file, or a folder with one in it. The name says what a file is, or else what it holds. */
export async function readManifestAt(path: string): Promise<Outcome<Manifest>> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return refused("NOT_THERE");
  return stats.isDirectory() ? readFolder(path) : readFile(path);
}

function readFolder(path: string): Outcome<Manifest> {
  const reading = readTree(path);
  if (reading.is === "refused") return reading;
  const tree = reading.value;
  const name = basename(path);
  if (fileAt(tree, claudePluginFile) !== undefined) return readClaudePlugin(tree);
  if (fileAt(tree, geminiExtensionFile) !== undefined) return readGeminiExtension(tree);
  if (fileAt(tree, "SKILL.md") !== undefined) return readSkill(name, tree);
  if (skillFolders(tree).length > 0) return readSkills(name, tree);
  const server = fileAt(tree, "server.yaml");
  if (server !== undefined) return catalogueOf(server, fileAt(tree, "tools.json"));
  return refused("NOT_KNOWN");
}

async function readFile(path: string): Promise<Outcome<Manifest>> {
  const file = fileOf(path);
  if (file.is === "refused") return file;
  const name = basename(path);
  if (/\.(?:mcpb|dxt)$/i.test(name)) return readMcpb(file.value.bytes);
  switch (name) {
    case "SKILL.md":
      return readFolder(dirname(path));
    case "plugin.json":
      if (basename(dirname(path)) === ".claude-plugin") return readFolder(dirname(dirname(path)));
      break;
    case geminiExtensionFile:
      return readFolder(dirname(path));
    case "server.yaml": {
      const beside = join(dirname(path), "tools.json");
      const tools = statSync(beside, { throwIfNoEntry: false }) === undefined ? undefined : fileOf(beside);
      if (tools?.is === "refused") return tools;
      return catalogueOf(file.value, tools?.value);
    }
  }
  if (!/\.(?:json|ya?ml)$/i.test(name)) return refused("NOT_KNOWN");
  const object = readObject(file.value);
  return object.is === "refused" ? object : byContent(name, object.value);
}

function byContent(name: string, object: ObjectText): Outcome<Manifest> {
  const has = (...keys: readonly string[]) => keys.every((key) => memberOf(object.json, key) !== undefined);
  if (has("openapi") || has("swagger")) return read(readOpenApi(object));
  if (has("name_for_model") || has("description_for_model")) return read(readAiPlugin(object));
  if (has("skills", "capabilities") || (has("skills") && /agent/i.test(name))) return read(readAgentCard(object));
  if (name === "server.json" || ((has("packages") || has("remotes")) && has("name", "description")))
    return read(readServerJson(object));
  return refused("NOT_KNOWN");
}

function catalogueOf(server: TreeFile, tools: TreeFile | undefined): Outcome<Manifest> {
  const object = readObject(server);
  if (object.is === "refused") return object;
  if (tools === undefined) return read(readDockerCatalogue(object.value, undefined));
  const list = jsonOf(tools);
  return list.is === "refused" ? list : read(readDockerCatalogue(object.value, list.value));
}

/** Any JSON: a list of tools is no object. */
function jsonOf(file: TreeFile): Outcome<JsonText> {
  const text = textOf(file);
  if (text === undefined) return refused("NOT_TEXT", file.path);
  const reading = readJson(text);
  if (reading.is === "refused")
    return refused("NOT_JSON", file.path, `${reading.refusal.code} at ${reading.refusal.at}`);
  return read({ text, json: reading.json });
}

/** A regular file, whole. A pipe is not waited for. */
function fileOf(path: string): Outcome<TreeFile> {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return refused("NOT_READABLE", undefined, String(error.code));
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return refused("ODD_FILE");
    if (stats.size > treeLimits.file) return refused("TOO_LARGE");
    return read({ path: basename(path), bytes: readFileSync(descriptor) });
  } finally {
    closeSync(descriptor);
  }
}
