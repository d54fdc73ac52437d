import { canonicalize } from "./canonical.ts";
import { type Json, jsonLimits, readJson } from "./json.ts";
import { openArray, type ValueLine } from "./lockfile-words.ts";
import { type Pointer, root } from "./pointer.ts";

interface Lines {
  readonly first: number;
  last: number;
}

type Node =
  | { readonly is: "object"; readonly members: Map<string, Node>; readonly lines: Lines }
  /** An array whose items have lines of their own. */
  | { readonly is: "array"; readonly items: Node[]; readonly lines: Lines }
  /** A string, or an array of what is short, as far as its pieces have come. */
  | { readonly is: "string"; text: string; readonly lines: Lines }
  | { readonly is: "list"; readonly items: Json[]; readonly lines: Lines }
  | { readonly is: "scalar"; readonly json: Json; readonly lines: Lines };

/** A value as it comes together from its lines. Server-controlled: keys are of a `Map`, and what is above a line is looked up. */
export class LockedValue {
  readonly #nodes = new Map<string, Node>();

  /** Why the line says nothing here, or undefined where it does. */
  add({ at, value, more }: ValueLine, line: number): string | undefined {
    const known = this.#nodes.get(at);
    const json = value === openArray ? undefined : readJson(value);
    if (json?.is === "refused") return `no JSON (${json.refusal.code})`;
    if (more) return goOn(known, json?.json, line);
    if (known !== undefined) return "stands here twice";
    const node = nodeOf(json?.json, { first: line, last: line });
    const because = at === root ? undefined : this.#putBelow(at, node);
    if (because === undefined) this.#nodes.set(at, node);
    return because;
  }

  /** Canonical JSON, if there is a value. */
  text(): string | undefined {
    const top = this.#nodes.get(root);
    return top === undefined ? undefined : textOf(top);
  }

  /** Of the value at a pointer, or of the nearest around it. */
  linesAt(at: Pointer): Lines | undefined {
    for (let pointer: string = at; ; pointer = pointer.slice(0, pointer.lastIndexOf("/"))) {
      const node = this.#nodes.get(pointer);
      if (node !== undefined) return node.lines;
      if (pointer === root || !pointer.startsWith("/")) return undefined;
    }
  }

  #putBelow(at: Pointer, node: Node): string | undefined {
    if (!at.startsWith("/")) return "no pointer";
    if (at.split("/").length - 1 >= jsonLimits.depth) return "TOO_DEEP";
    const slash = at.lastIndexOf("/");
    const above = this.#nodes.get(at.slice(0, slash));
    const token = at
      .slice(slash + 1)
      .replaceAll("~1", "/")
      .replaceAll("~0", "~");
    if (above?.is === "array") {
      if (token !== String(above.items.length)) return "not the next item of its array";
      above.items.push(node);
      return undefined;
    }
    if (above?.is !== "object") return "nothing above it that could hold it";
    if (above.members.has(token)) return "stands here twice";
    above.members.set(token, node);
    return undefined;
  }
}

function nodeOf(json: Json | undefined, lines: Lines): Node {
  if (json === undefined) return { is: "array", items: [], lines };
  switch (json.is) {
    case "object":
      return { is: "object", members: new Map(membersOf(json, lines)), lines };
    case "array":
      return { is: "list", items: [...json.items], lines };
    case "string":
      return { is: "string", text: json.value, lines };
    case "null":
    case "boolean":
    case "number":
      return { is: "scalar", json, lines };
  }
}

function membersOf(json: Extract<Json, { is: "object" }>, lines: Lines): readonly (readonly [string, Node])[] {
  return json.members.map(({ key, value }) => [key, { is: "scalar", json: value, lines }] as const);
}

/** One more piece of a value that has begun. */
function goOn(node: Node | undefined, json: Json | undefined, line: number): string | undefined {
  const because = join(node, json, line);
  if (because === undefined && node !== undefined) node.lines.last = line;
  return because;
}

function join(node: Node | undefined, json: Json | undefined, line: number): string | undefined {
  if (node?.is === "string" && json?.is === "string") node.text += json.value;
  else if (node?.is === "list" && json?.is === "array") node.items.push(...json.items);
  else if (node?.is === "object" && json?.is === "object") {
    for (const [key, member] of membersOf(json, { first: line, last: line })) {
      if (node.members.has(key)) return "stands here twice";
      node.members.set(key, member);
    }
  } else return "goes on with nothing";
  return undefined;
}

/** INVARIANT: no node is deeper than `readJson` allows, and neither is what a line holds. */
function textOf(node: Node): string {
  switch (node.is) {
    case "object": {
      const members = [...node.members].sort(([one], [other]) => (one < other ? -1 : 1));
      return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${textOf(member)}`).join(",")}}`;
    }
    case "array":
      return `[${node.items.map(textOf).join(",")}]`;
    case "list":
      return `[${node.items.map(canonicalize).join(",")}]`;
    case "string":
      return JSON.stringify(node.text);
    case "scalar":
      return canonicalize(node.json);
  }
}
