import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";

/**
 * What the private packages export is there for a caller in another folder. Knip sees this inside a package, but takes
 * every index.ts for public API, and it is that for @countersign/core and countersign alone.
 */
const privatePackages = ["judge", "ledger", "wire"];
const folders = ["packages", "test", "tools", "demo", "bench"];

/** The exports of `packages/<private>/src/index.ts` that nobody outside of that package imports or hands on. */
export function uncalledExports(root: string): readonly string[] {
  const sources = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !/\/(?:node_modules|dist)\//.test(file));
  return privatePackages.flatMap((name) => {
    const index = `packages/${name}/src/index.ts`;
    const outside = sources.filter((file) => !file.startsWith(`packages/${name}/`));
    const called = new Set(outside.flatMap((file) => namesFrom(`@countersign/${name}`, parse(root, file))));
    return exportsOf(parse(root, index))
      .filter((one) => !called.has(one))
      .map((one) => `${index} exports ${one}, and nobody imports it`);
  });
}

function parse(root: string, file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest);
}

function exportsOf({ statements }: ts.SourceFile): readonly string[] {
  return statements
    .filter((statement) => ts.isExportDeclaration(statement))
    .flatMap(({ exportClause }) =>
      exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.map((element) => element.name.text)
        : ["* (name each export)"],
    );
}

/** What `file` imports or re-exports by name from `specifier`. */
function namesFrom(specifier: string, { statements }: ts.SourceFile): readonly string[] {
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const from = statement.moduleSpecifier;
    if (from === undefined || !ts.isStringLiteral(from) || from.text !== specifier) return [];
    const clause = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    if (clause === undefined || ts.isNamespaceImport(clause) || ts.isNamespaceExport(clause)) return [];
    return clause.elements.map((element) => (element.propertyName ?? element.name).text);
  });
}

if (import.meta.main) {
  const uncalled = uncalledExports(resolve(import.meta.dirname, ".."));
  for (const line of uncalled) console.error(line);
  if (uncalled.length > 0) process.exitCode = 1;
}
