import { visible } from "@countersign/core";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { type Config, configSchema } from "./config-schema.ts";
import { GateError } from "./gate-error.ts";

/** Reads `countersign.jsonc`. All problems at once, each with its line. */
export function readConfig(text: string, path: string): Config {
  const parsed = parseConfig(text);
  if (parsed.is === "config") return parsed.config;
  const lines = parsed.problems.map((problem) => `\n  ${visible(path)}:${problem}`).join("");
  throw new GateError("CONFIG", `Cannot use config "${visible(path)}"; nothing is allowed until it is mended:${lines}`);
}

export type Parsed =
  | { readonly is: "config"; readonly config: Config }
  /** Each begins with the line and the column. */
  | { readonly is: "broken"; readonly problems: readonly string[] };

/** JSON with comments and trailing commas. */
export function parseConfig(text: string): Parsed {
  const errors: ParseError[] = [];
  const tree = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const problems = errors.map(({ offset, error }) => `${placeOf(text, offset)}: ${printParseErrorCode(error)}`);
  if (tree === undefined || problems.length > 0) return broken(problems.length > 0 ? problems : ["1:1: it is empty"]);
  const repeated = [...repeatedKeys(tree)].map(
    ({ offset, value }) => `${placeOf(text, offset)}: "${value}" stands here twice`,
  );
  if (repeated.length > 0) return broken(repeated);
  const lost = [...prototypes(tree, 1)].map(
    (offset) => `${placeOf(text, offset)}: "__proto__" is no name that can be used`,
  );
  if (lost.length > 0) return broken(lost);
  const parsed = configSchema.safeParse(plainValue(tree));
  if (parsed.success) return { is: "config", config: parsed.data };
  return broken(
    parsed.error.issues.map(({ message, path: keys }) => {
      const node = nearest(
        tree,
        keys.map((key) => (typeof key === "symbol" ? String(key) : key)),
      );
      return `${placeOf(text, node.offset)}: ${keys.length === 0 ? "" : `${keys.map(String).join(".")}: `}${message}`;
    }),
  );
}

/** What stands at a path; of what is missing, what it is missing from. */
function nearest(tree: Node, path: readonly (string | number)[]): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return tree;
}

/** A key may be anybody's: a repository's config is read as well. */
function broken(problems: readonly string[]): Parsed {
  return { is: "broken", problems: problems.map((one) => visible(one.length > 600 ? `${one.slice(0, 600)}…` : one)) };
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** As `Map` entries first: an object literal would lose a key that is called `__proto__`. */
function plainValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plainValue);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    properties(node).map(({ key, value }) => [key.value, value === undefined ? undefined : plainValue(value)]),
  );
}

function* repeatedKeys(node: Node): Generator<{ offset: number; value: string }> {
  if (node.type === "object") {
    const seen = new Set<string>();
    for (const { key, value } of properties(node)) {
      if (seen.has(key.value)) yield { offset: key.offset, value: key.value };
      seen.add(key.value);
      if (value !== undefined) yield* repeatedKeys(value);
    }
  } else for (const child of node.children ?? []) yield* repeatedKeys(child);
}

/** Keys that the schema's records would leave out without a word. Further inside are JSON Schemas, whose keys may be any. */
function* prototypes(node: Node, depth: number): Generator<number> {
  if (node.type !== "object" || depth > deepestRecord) return;
  for (const { key, value } of properties(node)) {
    if (key.value === "__proto__") yield key.offset;
    if (value !== undefined) yield* prototypes(value, depth + 1);
  }
}

/** `servers.<name>.env.<name>`. */
const deepestRecord = 4;

function properties(node: Node): readonly { key: { value: string; offset: number }; value: Node | undefined }[] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined ? [] : [{ key: { value: String(key.value), offset: key.offset }, value }],
  );
}
