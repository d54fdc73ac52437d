import type { Json } from "@countersign/core";
import { readJsonc } from "../reading/read-jsonc.ts";
import type { Located } from "./located.ts";

export function locateJson(text: string): Located | undefined {
  const { root, faults } = readJsonc(text);
  return root === undefined || faults.length > 0 ? undefined : locatedOf(root, text);
}

function locatedOf(json: Json, text: string): Located {
  const place = { start: json.start, end: json.end };
  switch (json.is) {
    case "object": {
      const members = json.members.map(({ key, start, value }) => ({
        ...{ key, start, prefix: "", value: locatedOf(value, text) },
        keyEnd: endOfString(text, start),
      }));
      return { is: "object", ...place, flow: true, members };
    }
    case "array": {
      const items = json.items.map((item) => ({ start: item.start, value: locatedOf(item, text) }));
      return { is: "array", ...place, flow: true, items };
    }
    case "string":
      return { is: "scalar", ...place, value: json.value, isNull: false };
    case "number":
    case "boolean":
    case "null":
      return { is: "scalar", ...place, value: undefined, isNull: json.is === "null" };
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
