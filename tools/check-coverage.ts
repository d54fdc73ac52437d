import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type SurfaceRow, surface } from "../test/surface.ts";
import { type Coverage, coverageOf } from "./coverage.ts";

/** docs/coverage.md says of every place in test/surface.ts what the code does there now. `--write` writes it. */
export function coverageTable(rows: readonly SurfaceRow[]): string {
  const carried = rows.flatMap((row) => {
    if (row.is !== "carried") return [];
    const { pinned, judged, stripped, settable } = coverageOf(row);
    const cells = [
      yes(pinned),
      judged === "own-values" ? "its own values only" : yes(judged),
      taken(stripped),
      yes(settable),
    ];
    return [line([row.request, code(row.path), row.reader, ...cells, row.shownBy.join(" ")])];
  });
  const handled = rows.flatMap((row) =>
    row.is === "handled" ? [line([row.request, code(row.path), row.reader, row.becomes, row.shownBy.join(" ")])] : [],
  );
  return `${[
    "# Coverage",
    "",
    "Written by `tools/check-coverage.ts --write` from `test/surface.ts`, by doing it; do not edit.",
    "",
    "Every place at which a server can say something before a call of a tool, or without one. *Read by* is whoever reads it as a rule; a",
    "host may show a model anything. *Pinned*: another text there unbinds what was approved. *Judged*: the description gate finds an order",
    "that is written there; *its own values only*: the protocol knows its values, and any text there is malformed. *Stripped*: the plan",
    "`stripped` takes it out; what stays is contract. *Settable*: the operator may put a text of his own there. – stands where no plan",
    "applies, *partly* where it depends on the shape around it. The last column names requirements of `test/requirements.ts`.",
    "",
    line(["answer to", "place", "read by", "pinned", "judged", "stripped", "settable", "shown by"]),
    line(Array(8).fill("---")),
    ...carried,
    "",
    "What is no definition:",
    "",
    line(["in", "place", "read by", "what becomes of it", "shown by"]),
    line(Array(5).fill("---")),
    ...handled,
  ].join("\n")}\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(path: string): string {
  return `\`${path}\``;
}

function yes(is: Coverage["settable"]): string {
  if (is === undefined) return "–";
  return is === "mixed" ? "partly" : is ? "yes" : "no";
}

function taken(is: Coverage["stripped"]): string {
  if (is === undefined) return "–";
  return is === "mixed" ? "partly" : is ? "taken out" : "stays";
}

if (import.meta.main) {
  const path = join(resolve(import.meta.dirname, ".."), "docs/coverage.md");
  const table = coverageTable(surface);
  if (process.argv.includes("--write")) writeFileSync(path, table);
  if ((existsSync(path) ? readFileSync(path, "utf8") : undefined) !== table) {
    console.error("docs/coverage.md is stale: run node tools/check-coverage.ts --write");
    process.exitCode = 1;
  }
}
