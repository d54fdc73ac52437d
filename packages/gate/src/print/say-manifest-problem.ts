import { visible } from "@countersign/core";
import type { ManifestProblem } from "../manifests/manifest-problem.ts";

/** One line: what is wrong, where, and what to do where there is something. */
export function sayManifestProblem({ code, at, because }: ManifestProblem): string {
  const where = at === undefined ? "" : ` ("${visible(at)}")`;
  const why = because === undefined ? "" : `: ${visible(because)}`;
  return `${code}, ${sentences[code]}${where}${why}`;
}

const sentences: Readonly<Record<ManifestProblem["code"], string>> = {
  NOT_KNOWN:
    "it is none that Countersign knows; give a skill's or plugin's folder, an .mcpb, a server.json or server.yaml, an OpenAPI document, an ai-plugin.json or an agent card",
  NOT_THERE: "nothing is there; check the path",
  NOT_READABLE: "it may not be read; check its permissions",
  NOT_TEXT: "a file that should be text is none",
  NOT_JSON: "a file is no JSON that every reader understands alike",
  NOT_YAML: "a file is no plain YAML",
  NOT_AN_OBJECT: "a file should hold an object",
  NO_MANIFEST: "the file that says what it is is not in it",
  TOO_LARGE: "it is larger than what is read",
  TOO_MANY_FILES: "it has more files than are read",
  ODD_FILE: "it is, or has in it, a pipe, a device or a folder where a file should be",
  LINK_LEAVES: "a link leads out of it",
  CHANGED_MEANWHILE: "it changed while it was read; try again when nothing writes to it",
  NO_ZIP: "it is no ZIP archive that every reader understands alike",
  ZIP_NAME: "a file in it has a name that leads elsewhere",
  ZIP_LINK: "a file in it is a link or a device",
  ZIP_TWICE: "a file stands in it twice",
  ZIP_OVERLAPS: "files in it lie over one another",
  ZIP_DISAGREES: "its directory says something else than its files",
  ZIP_BOMB: "a file in it grows out of all proportion",
  ZIP_METHOD: "a file in it is packed in a way that bundles do not use",
  ZIP_ENCRYPTED: "a file in it is encrypted",
};
