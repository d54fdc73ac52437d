import { below, type Json, memberOf, type Pointer, root } from "@countersign/core";
import type { PatternFault } from "../pattern/pattern.ts";
import { readPattern } from "../pattern/read-pattern.ts";
import { isKeywordOf } from "../schema/dialect.ts";
import { type Reference, readSchema } from "../schema/schema-document.ts";
import { type Quirk, schemaQuirks } from "../schema/schema-quirks.ts";
import { foldersOf, isFolder } from "./folders-of.ts";

/** Why an operator's `narrow` would refuse too much, or let pass what it seems to refuse. */
export interface NarrowFault {
  readonly at: Pointer;
  readonly because:
    | Quirk["because"]
    | PatternFault
    | Extract<Reference["target"], string>
    | "unknown-dialect"
    /** Misspelt, or not checked here: `format` is an annotation. */
    | "unknown-keyword"
    /** A folder is written as an absolute POSIX path, with nothing in it to resolve. */
    | "not-a-folder"
    /** A base for no path. */
    | "base-without-path"
    /** The tool declares its arguments, and this is none of them. */
    | "undeclared-argument";
}

/**
 * Whether a `narrow` says what it means, told before anything is called. Without faults, `narrowArguments` reports nothing
 * as `UNSUPPORTED`.
 *
 * @param approved the tool's approved input schema, where it is known
 */
export function narrowFaults(narrow: Json, approved?: Json): readonly NarrowFault[] {
  const document = readSchema(narrow, root);
  const faults: NarrowFault[] = [...schemaQuirks(document)];
  if (document.dialect === undefined) faults.push({ at: below(root, "$schema"), because: "unknown-dialect" });
  for (const { at, target } of document.references) {
    if (typeof target === "string") faults.push({ at, because: target });
  }
  for (const { json, at } of document.schemas) {
    if (json.is !== "object") continue;
    for (const { key, value } of json.members) {
      const because = faultOf(key, value, json);
      if (because !== undefined) faults.push({ at: below(at, key), because });
    }
  }
  return [...faults, ...undeclared(narrow, approved)];
}

function faultOf(key: string, value: Json, schema: Json): NarrowFault["because"] | undefined {
  switch (key) {
    case "pathUnder":
      return foldersOf(value) === undefined ? "not-a-folder" : undefined;
    case "pathBase":
      if (!isFolder(value)) return "not-a-folder";
      return memberOf(schema, "pathUnder") === undefined ? "base-without-path" : undefined;
    case "pattern":
      return value.is === "string" ? faultOfPattern(value.value) : undefined;
    case "patternProperties": {
      const patterns = value.is === "object" ? value.members : [];
      return patterns.map((member) => faultOfPattern(member.key)).find((fault) => fault !== undefined);
    }
    default:
      return annotations.has(key) || isKeywordOf("2020-12", key) !== undefined ? undefined : "unknown-keyword";
  }
}

function faultOfPattern(written: string): PatternFault | undefined {
  const reading = readPattern(written);
  return reading.is === "refused" ? reading.because : undefined;
}

function undeclared(narrow: Json, approved: Json | undefined): readonly NarrowFault[] {
  const declared = memberOf(approved, "properties");
  const narrowed = memberOf(narrow, "properties");
  if (declared?.is !== "object" || narrowed?.is !== "object") return [];
  const names = new Set(declared.members.map(({ key }) => key));
  return narrowed.members
    .filter(({ key }) => !names.has(key))
    .map(({ key }) => ({ at: below(below(root, "properties"), key), because: "undeclared-argument" }));
}

/** Keywords that say something to a reader, or where something is. */
const annotations: ReadonlySet<string> = new Set(
  "$schema $defs definitions $anchor $comment title description default examples deprecated readOnly writeOnly".split(
    " ",
  ),
);
