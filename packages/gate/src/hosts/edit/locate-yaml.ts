import { isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Located } from "./located.ts";

export function locateYaml(text: string): Located | undefined {
  const document = parseDocument(text, {
    ...{ uniqueKeys: false, strict: false, logLevel: "silent" },
    keepSourceTokens: true,
  });
  if (document.errors.length > 0 || document.contents === null) return undefined;
  return locatedOf(document.contents);
}

function locatedOf(node: unknown): Located {
  if (isAlias(node) || !(isMap(node) || isSeq(node) || isScalar(node)) || node.range == null) return elsewhere;
  const [start, end] = node.range;
  const flow = !isScalar(node) && node.flow === true;
  if (isMap(node)) {
    const members = node.items.flatMap(({ key, value }) => {
      if (!isScalar(key) || key.range == null) return [];
      const [from, keyEnd] = key.range;
      return [{ key: String(key.value), start: from, keyEnd, prefix: "", value: locatedOf(value) }];
    });
    return { is: "object", start, end: flow ? end : (members.at(-1)?.value.end ?? end), flow, members };
  }
  if (isSeq(node)) {
    const dashes = node.srcToken?.type === "block-seq" ? node.srcToken.items : [];
    const items = node.items.map((item, index) => {
      const value = locatedOf(item);
      const dash = dashes[index]?.start.find(({ type }) => type === "seq-item-ind");
      return { start: dash?.offset ?? value.start, value };
    });
    return { is: "array", start, end: flow ? end : (items.at(-1)?.value.end ?? end), flow, items };
  }
  const value = typeof node.value === "string" ? node.value : undefined;
  return { is: "scalar", start, end, value, isNull: node.value === null };
}

const elsewhere = { is: "elsewhere", start: 0, end: 0 } as const;
