import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import type { Located, LocatedItem, LocatedMember } from "./located.ts";

export function locateToml(text: string): Located | undefined {
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(text, { tomlVersion: "1.0" });
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
  const root = new Table(0);
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") root.put(node, text);
    else {
      const table = root.below(node.resolvedKey, node.range[0]);
      for (const pair of node.body) table.put(pair, text);
    }
  }
  return root.located();
}

/** A table while its parts are gathered: they may stand anywhere in the document. */
class Table {
  readonly #start: number;
  readonly #members: LocatedMember[] = [];
  readonly #tables = new Map<string | number, Table>();

  constructor(start: number) {
    this.#start = start;
  }

  below(keys: readonly (string | number)[], start: number): Table {
    const [key, ...rest] = keys;
    if (key === undefined) return this;
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new Table(start);
      this.#tables.set(key, table);
    }
    return table.below(rest, start);
  }

  put(pair: AST.TOMLKeyValue, text: string): void {
    const [start, keyEnd] = pair.key.range;
    const names = pair.key.keys.map(nameOf);
    const last = pair.key.keys.at(-1);
    const prefix = text.slice(start, last?.range[0] ?? start);
    const member = { key: names.at(-1) ?? "", start, keyEnd, prefix, value: locatedOf(pair.value, text) };
    this.below(names.slice(0, -1), start).#members.push(member);
  }

  located(): Located {
    const place = { start: this.#start, end: this.#start };
    const parts = [...this.#tables].map(([key, table]) => ({ key, start: table.#start, value: table.located() }));
    if (parts.length > 0 && parts.every(({ key }) => typeof key === "number")) {
      return { is: "array", ...place, flow: false, items: parts satisfies readonly LocatedItem[] };
    }
    const tables = parts.map(({ key, start, value }) => ({
      ...{ key: String(key), start, value },
      ...{ keyEnd: start, prefix: "" },
    }));
    return { is: "object", ...place, flow: false, members: [...this.#members, ...tables] };
  }
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function locatedOf(node: AST.TOMLContentNode, text: string): Located {
  const place = { start: node.range[0], end: node.range[1] };
  switch (node.type) {
    case "TOMLArray": {
      const items = node.elements.map((item) => ({ start: item.range[0], value: locatedOf(item, text) }));
      return { is: "array", ...place, flow: true, items };
    }
    case "TOMLInlineTable": {
      const table = new Table(place.start);
      for (const pair of node.body) table.put(pair, text);
      const located = table.located();
      return located.is === "object" ? { ...located, ...place, flow: true } : located;
    }
    case "TOMLValue":
      return { is: "scalar", ...place, value: node.kind === "string" ? node.value : undefined, isNull: false };
  }
}
