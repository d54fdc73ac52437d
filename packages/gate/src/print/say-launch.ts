import { type Json, memberOf, type RawDefinition, visible } from "@countersign/core";
import { floatingIn, quoted, wordsOf } from "./launch-row.ts";
import { sayFloating } from "./say-definition.ts";
import { paint, type View } from "./view.ts";

/** How a server is reached, as the operator's config has it: the command line, then all that decides what it starts. */
export function sayLaunch(definition: RawDefinition, view: View): string {
  const { json, address } = definition;
  const lines = [`${address.kind} ${paint(view, "bold", address.name)}: ${visible(wordsOf(json))}`];
  for (const part of ["executable", "interpreter", "script"]) {
    const file = memberOf(json, part);
    if (file?.is === "null") lines.push(`  ${paint(view, "dim", part)} not found`);
    if (file?.is === "object") lines.push(`  ${paint(view, "dim", part)} ${sayFile(file)}`);
  }
  const folder = memberOf(json, "cwd");
  if (folder?.is === "string" && folder.value.length > 0)
    lines.push(`  ${paint(view, "dim", "folder")} ${visible(quoted(folder))}`);
  const environment = memberOf(json, "environment");
  if (environment?.is === "object") {
    for (const { key, value } of environment.members) {
      lines.push(`  ${paint(view, "dim", "environment")} ${visible(key)}=${visible(quoted(value))}`);
    }
  }
  for (const because of floatingIn(definition)) lines.push(`  ${sayFloating(because, view)}`);
  return lines.join("\n");
}

function sayFile(file: Json): string {
  const size = memberOf(file, "size");
  const hash = memberOf(file, "digest") ?? memberOf(file, "ends");
  const short = hash?.is === "string" ? ` ${hash.value.slice(0, 19)}…` : "";
  return `${visible(quoted(memberOf(file, "path")))}${short}${size?.is === "number" ? ` (${size.token} bytes, hashed at both ends)` : ""}`;
}
