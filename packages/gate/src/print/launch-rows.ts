import { type Json, memberOf, type RawDefinition } from "@countersign/core";
import { floatingIn, quoted, wordsOf } from "./launch-row.ts";
import { headingRows, labelledRows, ownRow, type Row } from "./rows.ts";
import { sayFloating } from "./say-floating.ts";
import { paint, shownName, type View } from "./view.ts";

/** How a server is reached, as the operator's config has it: the command line and all that decides what it starts, or the URL. */
export function launchRows(definition: Pick<RawDefinition, "address" | "json">, view: View): readonly Row[] {
  const { json, address } = definition;
  const name = shownName(address.name, view);
  const what = `${address.kind} ${name}`;
  const rows: Row[] = [...headingRows(what, name, view)];
  const say = (label: string, text: string) => {
    rows.push(...labelledRows(text, { label, indent: 2, at: `${label} of ${what}`, lines: false }, view));
  };
  const transport = memberOf(json, "transport");
  say(transport === undefined ? "command" : "url", wordsOf(json));
  if (transport !== undefined) say("transport", quoted(transport));
  const headers = memberOf(json, "headers");
  if (headers?.is === "object") {
    for (const { key, value } of headers.members) say("header", `${key}: ${quoted(value)}`);
  }
  for (const part of ["executable", "interpreter", "script"]) {
    const file = memberOf(json, part);
    if (file?.is === "null") rows.push(ownRow(`  ${paint(view, "dim", part)} not found`, what));
    if (file?.is === "object") say(part, fileWords(file));
  }
  const folder = memberOf(json, "cwd");
  if (folder?.is === "string" && folder.value.length > 0) say("folder", quoted(folder));
  const environment = memberOf(json, "environment");
  if (environment?.is === "object") {
    for (const { key, value } of environment.members) say("environment", `${key}=${quoted(value)}`);
  }
  for (const because of floatingIn(definition)) rows.push(ownRow(`  ${sayFloating(because, view)}`, what));
  return rows;
}

function fileWords(file: Json): string {
  const size = memberOf(file, "size");
  const hash = memberOf(file, "digest") ?? memberOf(file, "ends");
  const short = hash?.is === "string" ? ` ${hash.value.slice(0, 19)}…` : "";
  return `${quoted(memberOf(file, "path"))}${short}${size?.is === "number" ? ` (${size.token} bytes, hashed at both ends)` : ""}`;
}
