import { memberOf } from "@countersign/core";
import { comparePaths, type FileTree, fileAt, filesText, treeBelow } from "./file-tree.ts";
import { claims, type ManifestNote } from "./format.ts";
import { readObject } from "./json-manifest.ts";
import { type Outcome, read } from "./manifest-problem.ts";
import { readMarked, saidOfMarked, saidOfSkill } from "./markdown-skill.ts";
import { entriesOf, member, objectOf, type Said } from "./said.ts";
import { filesUnread, skillFolders } from "./skill.ts";

export interface PluginFiles {
  readonly said: readonly Said[];
  readonly notes: readonly ManifestNote[];
}

/**
 * What plugins of several hosts have in their folders: skills, commands and agents in Markdown, servers, hooks; and every
 * other file by its digest, with its text where a model may be given it.
 *
 * @param manifest the path of the file that is said apart
 */
export function readPluginFiles(tree: FileTree, manifest: string): Outcome<PluginFiles> {
  const said: Said[] = [];
  const notes: ManifestNote[] = [];
  const apart = new Set([manifest]);
  for (const folder of skillFolders(tree)) {
    const below = treeBelow(tree, folder);
    const skill = saidOfSkill(`skill:${folder}`, below);
    if (skill.is === "refused") return skill;
    said.push(skill.value);
    for (const { path } of below.files) apart.add(`${folder}/${path}`);
  }
  for (const file of tree.files) {
    if (apart.has(file.path)) continue;
    const [, what, name] = /^(commands|agents)\/(.+)\.md$/.exec(file.path) ?? [];
    if (what === undefined || name === undefined) continue;
    const marked = readMarked(file);
    if (marked.is === "refused") return marked;
    said.push(saidOfMarked(`${what === "commands" ? "command" : "agent"}:${name}`, marked.value));
    apart.add(file.path);
  }
  const servers = fileAt(tree, ".mcp.json");
  if (servers !== undefined) {
    const object = readObject(servers);
    if (object.is === "refused") return object;
    const { json, text } = object.value;
    const wrapped = memberOf(json, "mcpServers");
    said.push(...claims("server", entriesOf(wrapped ?? json, text, "name")));
    if (wrapped !== undefined) said.push({ kind: "claim", name: "file:.mcp.json", text });
    apart.add(servers.path);
  }
  const rest = { files: tree.files.filter(({ path }) => !apart.has(path)).sort(comparePaths), links: tree.links };
  if (rest.files.length + rest.links.length > 0) {
    const text = objectOf([
      member(
        "files",
        filesText(rest, ({ path }) => isProse(path)),
      ),
    ]);
    said.push({ kind: "claim", name: "files", text });
    const unread = filesUnread(text);
    if (unread > 0) notes.push({ code: "FILES_UNREAD", files: unread });
  }
  return read({ said, notes });
}

/** Files that a host or a model reads as words; programs and pictures are pinned by their digests alone. */
function isProse(path: string): boolean {
  return /\.(?:md|mdx|txt|json|jsonc|toml|ya?ml)$/i.test(path);
}
