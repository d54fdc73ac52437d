import { visible } from "@countersign/core";
import type { LockReport, LockRow } from "../commands/lock.ts";
import { paint, type View } from "./view.ts";
import { counted } from "./within.ts";

export function sayLock({ path, written, unchanged, servers }: LockReport, view: View): string {
  const file = `"${visible(path)}"`;
  const last = unchanged ? `${file} is as it would be written` : written ? `wrote ${file}` : `${file} would change`;
  return [...servers.flatMap((row) => sayRow(row, view)), last].join("\n");
}

function sayRow({ server, is, definitions, changes, leftOut }: LockRow, view: View): readonly string[] {
  const what = is === "kept" ? "kept as it was, the ledger approves nothing of it" : is;
  const lines = [`${paint(view, "bold", server)}: ${counted(definitions, "definition")}, ${what}`];
  if (is === "changed") lines.push(...changes.map((one) => `  ${marks[one.is]} ${one.kind} ${one.name}`));
  for (const { kind, name, because } of leftOut) {
    lines.push(`  ${paint(view, "yellow", "not locked")}  ${kind} ${name}: ${because}, ${reasons[because]}`);
  }
  return lines;
}

const marks = { added: "+", changed: "~", removed: "-" } as const;

const reasons = {
  WAITS: "nobody has approved it as it is",
  GONE: "approved, and no longer offered",
  EXPIRED: "its approval has run out",
  VARIANT: "approved for some principals only, and a lockfile is for all",
} as const;
