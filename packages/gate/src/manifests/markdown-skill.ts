import { memberOf, readJson } from "@countersign/core";
import { comparePaths, type FileTree, fileAt, filesText, sha256, type TreeFile, textOf } from "./file-tree.ts";
import { type Outcome, read, refused } from "./manifest-problem.ts";
import { member, nameIn, objectOf, type Said, spelled } from "./said.ts";
import { jsonOfYaml } from "./yaml-text.ts";

/** A file of Markdown with a head of YAML: a skill, a command or an agent. `sha256` is of the file as it stands. */
export interface Marked {
  /** Members of the head, as JSON; none where there is no head. */
  readonly head: readonly string[];
  readonly name: string;
  readonly body: string;
  readonly sha256: string;
}

export function readMarked(file: TreeFile): Outcome<Marked> {
  const text = textOf(file);
  if (text === undefined) return refused("NOT_TEXT", file.path);
  const [whole, yaml] = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const common = { body: text.slice(whole?.length ?? 0), sha256: sha256(file.bytes) };
  if (yaml === undefined) return read({ ...common, head: [], name: "" });
  const json = jsonOfYaml(yaml, file.path);
  if (json.is === "refused") return json;
  const reading = readJson(json.value);
  if (reading.is === "refused") return refused("NOT_YAML", file.path, reading.refusal.code);
  if (reading.json.is !== "object") return refused("NOT_AN_OBJECT", file.path);
  const head = reading.json.members.map((one) => {
    const { key, value } = one;
    return key === "allowed-tools" && value.is === "string"
      ? member(key, JSON.stringify(toolsIn(value.value)))
      : spelled(one, json.value);
  });
  // Comments of the head say nothing to YAML, and something to a model that reads the file.
  const comments = yaml.split(/\r?\n/).flatMap((line) => /(?:^|\s)#.*$/.exec(line)?.[0].trim() ?? []);
  const said = [...apart(head), ...(comments.length === 0 ? [] : [member("comments", JSON.stringify(comments))])];
  return read({ ...common, head: said, name: nameIn(memberOf(reading.json, "name"), json.value) });
}

/** `Read, Grep, Bash(git add:*)`: a list in one text, with commas or white space between. */
function toolsIn(text: string): readonly string[] {
  return text.match(/[^\s,()]+(?:\([^)]*\)?)?/g) ?? [];
}

/** A text by itself, as a command or an agent is. */
export function saidOfMarked(name: string, { head, body, sha256 }: Marked): Said {
  const own = [member("text", JSON.stringify(body)), member("file", objectOf([member("sha256", `"${sha256}"`)]))];
  return { kind: "claim", name, text: objectOf([...head, ...own]) };
}

/** One skill: its head, its text, and every file of its folder. */
export function saidOfSkill(name: string, tree: FileTree): Outcome<Said> {
  const file = fileAt(tree, "SKILL.md");
  if (file === undefined) return refused("NO_MANIFEST", "SKILL.md");
  const marked = readMarked(file);
  if (marked.is === "refused") return marked;
  const { head, body } = marked.value;
  // The text of SKILL.md stands apart already.
  const files = filesText({ ...tree, files: [...tree.files].sort(comparePaths) }, (one) => one !== file);
  const own = [member("text", JSON.stringify(body)), member("files", files)];
  return read({ kind: "skill", name, text: objectOf([...head, ...own]) });
}

/** A head may have a key that is ours; then what it says there stands apart, judged and pinned like the rest. */
function apart(head: readonly string[]): readonly string[] {
  const taken = head.filter((one) => ours.test(one));
  if (taken.length === 0) return head;
  return [...head.filter((one) => !ours.test(one)), member("head", objectOf(taken))];
}

const ours = /^"(?:text|file|files|head|comments)":/;
