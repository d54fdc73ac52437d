import type { Json, Member } from "@countersign/core";
import { type Alias, isAlias, isMap, isScalar, isSeq, parseDocument, type Document as YamlDocument } from "yaml";
import { type Document, type DocumentFault, readBounded } from "./document.ts";

/** An alias stands for all that it names, so a few lines of them stand for millions of values. */
const mostValues = 100_000;

export function readYaml(text: string): Document {
  return readBounded(() => {
    const document = parseDocument(text, { uniqueKeys: false, strict: false, logLevel: "silent" });
    const faults: DocumentFault[] = document.errors.map(({ pos, message }) => ({
      code: "SYNTAX",
      at: pos[0],
      detail: message.split(" at line ")[0] ?? "",
    }));
    const walk: Walk = { document, named: new Map(), left: mostValues };
    const root = document.contents === null ? undefined : jsonOf(document.contents, 0, walk);
    if (walk.left >= 0) return { root, faults };
    return { root: undefined, faults: [...faults, { code: "TOO_LARGE", detail: "aliases" }] };
  });
}

interface Walk {
  readonly document: YamlDocument;
  /** What each alias stands for: to look for it takes as long as the document. */
  readonly named: Map<Alias, unknown>;
  /** Values that may still be read; below zero where there were more. */
  left: number;
}

function jsonOf(node: unknown, above: number, walk: Walk): Json {
  walk.left--;
  const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  const start = range?.[0] ?? above;
  const place = { start, end: range?.[1] ?? start };
  if (walk.left < 0) return { is: "null", ...place };
  if (isAlias(node)) {
    const named = walk.named.get(node) ?? node.resolve(walk.document);
    walk.named.set(node, named);
    return named === undefined ? { is: "null", ...place } : jsonOf(named, start, walk);
  }
  if (isMap(node)) {
    const members = node.items.map(({ key, value }): Member => {
      const at = isScalar(key) ? (key.range?.[0] ?? start) : start;
      return { key: isScalar(key) ? String(key.value) : String(key), start: at, value: jsonOf(value, at, walk) };
    });
    return { is: "object", ...place, members };
  }
  if (isSeq(node)) return { is: "array", ...place, items: node.items.map((item) => jsonOf(item, start, walk)) };
  const value = isScalar(node) ? node.value : node;
  if (typeof value === "string") return { is: "string", ...place, value };
  if (typeof value === "boolean") return { is: "boolean", ...place, value };
  if (typeof value === "number" || typeof value === "bigint") {
    const source = isScalar(node) ? node.source : undefined;
    return { is: "number", ...place, token: source ?? String(value) };
  }
  return { is: "null", ...place };
}
