import { canonicalize, type Json, lists, type Offer, visible } from "@countersign/core";

/**
 * What a server offers, as a file that people review: JSON, in an order and a spelling of its own, so that equal
 * definitions give equal bytes. It is one of the forms that `judge` takes. How the server presents itself is left out.
 */
export function definitionsFile({ definitions }: Offer): string {
  const members: string[] = [];
  const instructions = definitions.find(({ address }) => address.kind === "instructions");
  if (instructions !== undefined) members.push(`"instructions": ${pretty(instructions.json, 1)}`);
  for (const { kind, list } of lists.values()) {
    const own = definitions.filter(({ address }) => address.kind === kind);
    if (own.length === 0) continue;
    const items = own.toSorted((a, b) => (a.address.name < b.address.name ? -1 : 1));
    members.push(`"${list}": [${items.map(({ json }) => `${line(2)}${pretty(json, 2)}`).join(",")}${line(1)}]`);
  }
  return `{${members.map((member) => `${line(1)}${member}`).join(",")}${members.length === 0 ? "" : "\n"}}\n`;
}

function pretty(json: Json, depth: number): string {
  switch (json.is) {
    case "object": {
      if (json.members.length === 0) return "{}";
      const members = json.members.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      const lines = members.map(({ key, value }) => `${line(depth + 1)}${shown(key)}: ${pretty(value, depth + 1)}`);
      return `{${lines.join(",")}${line(depth)}}`;
    }
    case "array": {
      const items = json.items.map((item) => pretty(item, depth + 1));
      const together = `[${items.join(", ")}]`;
      if (together.length <= inline && !together.includes("\n")) return together;
      return `[${items.map((item) => `${line(depth + 1)}${item}`).join(",")}${line(depth)}]`;
    }
    case "string":
      return shown(json.value);
    case "null":
    case "boolean":
    case "number":
      return canonicalize(json);
  }
}

/** Code units of an array on one line. */
const inline = 80;

function line(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}

/** Nothing is hidden from whoever reads a diff: what shows nothing, or passes for something else, is an escape. */
function shown(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (character) => {
    if (visible(character) === character) return character;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
