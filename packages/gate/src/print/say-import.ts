import type { ImportReport, ImportRow, NotCompared, Uncovered } from "../commands/import.ts";
import { paint, shownName, type View } from "./view.ts";

export function sayImport({ format, entries, unlocked }: ImportReport, view: View): string {
  const count = entries.length === 1 ? "1 comparison" : `${entries.length} comparisons`;
  return [
    `${format}: ${count}; a lock of this kind approves nothing, it holds hashes of a part and no texts`,
    ...entries.flatMap((row) => sayRow(row, view)),
    ...(unlocked.length === 0 ? [] : [`in no entry of the lock: ${unlocked.join(", ")}`]),
  ].join("\n");
}

function sayRow(row: ImportRow, view: View): readonly string[] {
  const { entry, server, uncovered, coverage, tools, intact } = row;
  const head = `${server === undefined ? "(no server)" : paint(view, "bold", server)}  ${entry.name} for ${entry.client} (${entry.scope})`;
  const lines = [head, `  ${result(row, view)}`];
  if (tools.locked !== undefined && tools.offered !== undefined && tools.locked !== tools.offered) {
    lines.push(`  locked with ${counted(tools.locked, "tool")}, offers ${tools.offered} now`);
  }
  if (coverage.length > 0 && !intact) lines.push("  whether the entry itself is as it was locked is not checked");
  if (uncovered.length > 0)
    lines.push(`  the lock says nothing of: ${uncovered.map((one) => sayUncovered(one, view)).join(", ")}`);
  return lines;
}

function result({ result: one, code, coverage }: ImportRow, view: View): string {
  const parts = coverage.join(", ");
  switch (one) {
    case "same":
      return `${paint(view, "green", "same")} in what the lock covers: ${parts}`;
    case "differs":
      return `${paint(view, "red", "differs")} in what the lock covers: ${parts}; it has one hash for all tools, so it cannot say which`;
    case "not-compared":
      return `${paint(view, "yellow", "not compared")}: ${code === undefined ? "" : reasons[code]}`;
  }
}

const reasons: Readonly<Record<NotCompared, string>> = {
  NO_SURFACE: "NO_SURFACE, the entry pins nothing of what the server offers",
  LEGACY_HASH: "LEGACY_HASH, the entry has only older hashes, whose order depends on a locale",
  BAD_SURFACE: "BAD_SURFACE, its pin is not one that the format allows",
  BAD_INTEGRITY: "BAD_INTEGRITY, the entry was changed after it was locked",
  NOT_SEEN: "NOT_SEEN, the ledger has no such server, or has seen nothing of it; name it with --server <server>=<name>",
  MALFORMED_TOOLS: "MALFORMED_TOOLS, some of its tools could not be read, so the set is not whole",
  NO_FORM: "NO_FORM, its tools have keys or numbers that the lock's canonical form does not take",
};

function sayUncovered(one: Uncovered, view: View): string {
  switch (one.is) {
    case "field":
      return `${shownName(one.field, view)} (${counted(one.tools, "tool")})`;
    case "kind":
      return counted(one.definitions, one.kind);
  }
}

function counted(count: number, what: string): string {
  if (what === "instructions") return what;
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
