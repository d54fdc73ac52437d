import { memberOf, readJson } from "@countersign/core";
import type { FileTree } from "./file-tree.ts";
import { treeBelow } from "./file-tree.ts";
import type { Manifest, ManifestNote } from "./format.ts";
import { type Outcome, read } from "./manifest-problem.ts";
import { saidOfSkill } from "./markdown-skill.ts";
import type { Said } from "./said.ts";

/** A folder with a SKILL.md. https://agentskills.io/specification */
export function readSkill(name: string, tree: FileTree): Outcome<Manifest> {
  const said = saidOfSkill(name, tree);
  if (said.is === "refused") return said;
  return read({ format: "skill", name, said: [said.value], notes: skillNotes(name, said.value) });
}

/** A folder of such folders, at any depth; a skill's own folder is not looked into for others. */
export function readSkills(name: string, tree: FileTree): Outcome<Manifest> {
  const said: Said[] = [];
  const notes: ManifestNote[] = [];
  for (const folder of skillFolders(tree)) {
    const one = saidOfSkill(folder, treeBelow(tree, folder));
    if (one.is === "refused") return one;
    said.push(one.value);
    notes.push(...skillNotes(folder, one.value));
  }
  return read({ format: "skills", name, said, notes });
}

export function skillFolders({ files }: FileTree): readonly string[] {
  const folders = files.flatMap(({ path }) => (path.endsWith("/SKILL.md") ? [path.slice(0, -"/SKILL.md".length)] : []));
  return folders.filter((one) => !folders.some((other) => one.startsWith(`${other}/`)));
}

/** What the specification asks of a head, and hosts insist on. */
function skillNotes(folder: string, { text }: Said): readonly ManifestNote[] {
  const reading = readJson(text);
  if (reading.is === "refused") return [];
  const notes: ManifestNote[] = [];
  const note = (code: Extract<ManifestNote, { skill: string }>["code"]) => notes.push({ code, skill: folder });
  const name = memberOf(reading.json, "name");
  const description = memberOf(reading.json, "description");
  if (name?.is !== "string" || name.value === "") note("NAME_MISSING");
  else if (name.value.length > 64) note("NAME_TOO_LONG");
  else if (name.value !== folder.split("/").at(-1)) note("NAME_UNLIKE_FOLDER");
  if (description?.is !== "string" || description.value === "") note("DESCRIPTION_MISSING");
  else if (description.value.length > 1_024) note("DESCRIPTION_TOO_LONG");
  const unread = filesUnread(text);
  if (unread > 0) notes.push({ code: "FILES_UNREAD", files: unread });
  return notes;
}

/** Files of a definition that are pinned by their digest alone. */
export function filesUnread(text: string): number {
  const reading = readJson(text);
  const files = reading.is === "refused" ? undefined : memberOf(reading.json, "files");
  if (files?.is !== "object") return 0;
  return files.members.filter(({ value }) => memberOf(value, "unread") !== undefined).length;
}
