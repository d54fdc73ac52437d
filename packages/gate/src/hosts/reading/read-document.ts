import { decodeUtf8 } from "@countersign/core";
import type { Format } from "../host.ts";
import type { Document, DocumentFault } from "./document.ts";
import { readJsonc } from "./read-jsonc.ts";
import { readToml } from "./read-toml.ts";
import { readYaml } from "./read-yaml.ts";

export interface ReadText extends Document {
  readonly text: string;
}

/** Nothing that a host keeps is this large; a repository's file may be. Bytes. */
export const mostBytes = {
  json: 20 * 1024 * 1024,
  jsonc: 20 * 1024 * 1024,
  toml: 2 * 1024 * 1024,
  yaml: 2 * 1024 * 1024,
};

/** The text of a file without its byte order mark, and what it says. */
export function readDocument(
  format: Exclude<Format, "shell">,
  bytes: Uint8Array,
): ReadText | { readonly text: undefined; readonly fault: DocumentFault["code"] | "NOT_UTF8" } {
  if (bytes.length > mostBytes[format]) return { text: undefined, fault: "TOO_LARGE" };
  const text = decodeUtf8(bytes)?.replace(/^\uFEFF/, "");
  if (text === undefined) return { text, fault: "NOT_UTF8" };
  return { text, ...read(format, text) };
}

function read(format: Exclude<Format, "shell">, text: string): Document {
  switch (format) {
    case "json":
    case "jsonc":
      return readJsonc(text);
    case "toml":
      return readToml(text);
    case "yaml":
      return readYaml(text);
  }
}
