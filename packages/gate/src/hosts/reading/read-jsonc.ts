import type { Json, Member } from "@countersign/core";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { type Document, mostValues, readBounded } from "./document.ts";

/** JSON, with comments and trailing commas. What can be read of a broken file is read. */
export function readJsonc(text: string): Document {
  // Between two values stands a comma or an opening bracket, so this bounds the tree before it is made.
  let separators = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x2c || character === 0x5b || character === 0x7b) separators++;
  }
  if (separators > mostValues) return { root: undefined, faults: [{ code: "TOO_LARGE" }] };
  return readBounded(() => {
    const errors: ParseError[] = [];
    const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    return {
      root: tree === undefined ? undefined : jsonOf(tree, text),
      faults: errors.map(({ error, offset }) => ({ code: "SYNTAX", at: offset, detail: printParseErrorCode(error) })),
    };
  });
}

/** Members are a list, so a key that is called `__proto__` is a key, and one that stands twice stands twice. */
function jsonOf(node: Node, text: string): Json {
  const place = { start: node.offset, end: node.offset + node.length };
  switch (node.type) {
    case "object":
      return { is: "object", ...place, members: (node.children ?? []).flatMap((child) => memberOf(child, text)) };
    case "array":
      return { is: "array", ...place, items: (node.children ?? []).map((child) => jsonOf(child, text)) };
    case "string":
      return { is: "string", ...place, value: String(node.value) };
    case "number":
      return { is: "number", ...place, token: text.slice(place.start, place.end) };
    case "boolean":
      return { is: "boolean", ...place, value: node.value === true };
    case "null":
    case "property":
      return { is: "null", ...place };
  }
}

/** A key without a value is an error that has been reported. */
function memberOf({ children: [key, value] = [] }: Node, text: string): readonly Member[] {
  if (key === undefined || value === undefined) return [];
  return [{ key: String(key.value), start: key.offset, value: jsonOf(value, text) }];
}
