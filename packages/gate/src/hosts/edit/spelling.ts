import type { Format } from "../host.ts";

/** How a format spells what is written into it. */
export interface Spelling {
  readonly string: (text: string) => string;
  /** A key like the one beside it. */
  readonly key: (name: string, beside: string) => string;
  /** A key that may be any text. */
  readonly quotedKey: (name: string) => string;
  readonly colon: string;
  readonly comments: RegExp;
  /** Whether what stands for a string in one place of the document stands for it in every other. */
  readonly isFree: (source: string) => boolean;
}

const json: Spelling = {
  string: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  quotedKey: (name) => JSON.stringify(name),
  colon: ": ",
  comments: /\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g,
  isFree: () => true,
};

const toml: Spelling = {
  string: (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f"),
  key: (name) => name,
  quotedKey: (name) => JSON.stringify(name).replaceAll("\u007f", "\\u007f"),
  colon: " = ",
  comments: /#[^\n\r]*/g,
  isFree: () => true,
};

const yaml: Spelling = {
  string: (text) => JSON.stringify(text),
  key: (name, beside) => (beside.startsWith('"') ? JSON.stringify(name) : name),
  quotedKey: (name) => JSON.stringify(name),
  colon: ": ",
  comments: /#[^\n\r]*/g,
  // A plain word may hold a comma or a bracket where it stands, and not within brackets; lines count where they stand.
  isFree: (source) =>
    !/[\n\r]/.test(source) && (/^["']/.test(source) || /^[^\s,[\]{}#:&*!|>%@`"'?-][^,[\]{}#:]*$/.test(source)),
};

export function spellingOf(format: Exclude<Format, "shell">): Spelling {
  switch (format) {
    case "json":
    case "jsonc":
      return json;
    case "toml":
      return toml;
    case "yaml":
      return yaml;
  }
}
