import { isAlias, isMap, isScalar, isSeq, type ParsedNode, parseDocument } from "yaml";
import { type Outcome, read, refused } from "./manifest-problem.ts";
import { member, objectOf } from "./said.ts";

/**
 * The JSON text that a YAML document means, with its keys in their order. Aliases are refused, so that a few lines cannot
 * stand for a gigabyte; so are keys that are no texts, and numbers that JSON lacks.
 */
export function jsonOfYaml(text: string, at: string): Outcome<string> {
  const document = parseDocument(text, { uniqueKeys: true, intAsBigInt: true, version: "1.2", merge: false });
  const [problem] = document.errors;
  if (problem !== undefined) return refused("NOT_YAML", at, problem.message.split("\n")[0] ?? "");
  if (document.contents === null) return read("{}");
  try {
    return read(textOf(document.contents, 0));
  } catch (error) {
    if (error instanceof NoJson) return refused("NOT_YAML", at, error.message);
    throw error;
  }
}

class NoJson extends Error {}

function textOf(node: ParsedNode | null, depth: number): string {
  if (depth > deepest) throw new NoJson("it is too deep");
  if (node === null) return "null";
  if (isAlias(node)) throw new NoJson("it has an alias");
  if (isSeq(node)) return `[${node.items.map((item) => textOf(item as ParsedNode | null, depth + 1)).join(",")}]`;
  if (isMap(node)) {
    return objectOf(
      node.items.map(({ key, value }) => {
        if (!isScalar(key) || key.value === null) throw new NoJson("a key is no text");
        return member(String(key.value), textOf(value as ParsedNode | null, depth + 1));
      }),
    );
  }
  return scalarOf(node.value);
}

function scalarOf(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value)) throw new NoJson("a number is none of JSON's");
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return JSON.stringify(value);
  throw new NoJson("a value is none of JSON's");
}

const deepest = 100;
