import type { RewriteReport, RewriteRow } from "../commands/rewrite.ts";
import { paint, type View } from "./view.ts";

export function sayRewrite({ server, definitions, config, file }: RewriteReport, view: View): string {
  if (config !== undefined) return config.trimEnd();
  const changed = definitions.filter(({ cut, neutral }) => cut + neutral > 0).length;
  const drafts = definitions.length === 1 ? "1 definition" : `${definitions.length} definitions`;
  return [
    `drafted texts for ${drafts} of ${server}, ${changed} of them with other words than the server's: ${file}`,
    ...definitions.flatMap((row) => sayRow(row, view)),
    `nothing has changed yet: edit the file, move it into your config, and run countersign review ${server}`,
  ].join("\n");
}

function sayRow({ kind, name, cut, neutral, left }: RewriteRow, view: View): readonly string[] {
  if (cut + neutral + left.length === 0) return [];
  const lines = [`  ${kind} ${paint(view, "bold", name)}: ${cut} cut, ${neutral} made anew`];
  for (const { rule, at } of left) {
    lines.push(`    ${paint(view, "red", `${rule} still speaks at ${at}`)}: no text can be set there`);
  }
  return lines;
}
