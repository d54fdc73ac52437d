import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";

/** What the sources of one package may import, apart from themselves. */
interface Layer {
  readonly packages: readonly string[];
  /** Names without `node:`. */
  readonly builtins: (name: string) => boolean;
  /** May import what its package.json declares. */
  readonly dependencies: boolean;
}

const layers: ReadonlyMap<string, Layer> = new Map([
  ["core", { packages: [], builtins: only("crypto"), dependencies: false }],
  ["judge", { packages: ["@countersign/core", "re2js"], builtins: only(), dependencies: false }],
  [
    "ledger",
    {
      packages: ["@countersign/core"],
      builtins: only("crypto", "fs", "fs/promises", "path", "sqlite", "timers/promises"),
      dependencies: false,
    },
  ],
  [
    "wire",
    { packages: ["@countersign/core", "cross-spawn"], builtins: (name) => name !== "sqlite", dependencies: false },
  ],
  [
    "gate",
    {
      packages: [
        "@countersign/core",
        "@countersign/judge",
        "@countersign/judge/call",
        "@countersign/ledger",
        "@countersign/wire",
        "@countersign/wire/http",
      ],
      builtins: () => true,
      dependencies: true,
    },
  ],
]);

const testPackages = ["vitest", "fast-check", "canonicalize", "@cfworker/json-schema"];

export interface Violation {
  /** Relative to the root, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly because: string;
}

interface Import {
  readonly file: string;
  readonly line: number;
  /** Absent where the name is computed. */
  readonly specifier: string | undefined;
}

/** Holds every import of packages/<layer>/src, static or dynamic, of values or of types, to docs/architecture.md. */
export function checkLayers(root: string): readonly Violation[] {
  const files = sourcesOf(root);
  const imports = files.flatMap((file) => importsOf(root, file));
  return [...strangers(files), ...imports.flatMap((one) => forbidden(root, one)), ...cycles(root, files, imports)];
}

function sourcesOf(root: string): readonly string[] {
  return readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name, "src"))
    .filter((src) => existsSync(src))
    .flatMap((src) => readdirSync(src, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => slashed(relative(root, join(entry.parentPath, entry.name))))
    .sort();
}

function importsOf(root: string, file: string): readonly Import[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const found = (at: ts.Node, name: ts.Node | undefined): void => {
    const line = source.getLineAndCharacterOfPosition(at.getStart()).line + 1;
    imports.push({ file, line, specifier: name !== undefined && ts.isStringLiteralLike(name) ? name.text : undefined });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) found(node, node.moduleSpecifier);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) found(node, node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) found(node, node.expression);
    else if (ts.isImportTypeNode(node))
      found(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
    else if (ts.isCallExpression(node) && loads(node.expression)) found(node, node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

function loads(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(callee)) return callee.text === "require";
  return ts.isPropertyAccessExpression(callee) && callee.name.text === "getBuiltinModule";
}

function strangers(files: readonly string[]): readonly Violation[] {
  return [...new Set(files.map(layerOf))]
    .filter((layer) => !layers.has(layer))
    .map((layer) => ({
      file: `packages/${layer}`,
      line: 1,
      because: `no layer: tools/check-layers.ts does not know it`,
    }));
}

function forbidden(root: string, { file, line, specifier }: Import): readonly Violation[] {
  const name = layerOf(file);
  const layer = layers.get(name);
  if (layer === undefined) return [];
  if (specifier === undefined) return [{ file, line, because: "imports a computed name, which nobody can check" }];
  const because = specifier.startsWith(".")
    ? forbiddenPath(root, file, specifier)
    : forbiddenName(root, file, name, layer, specifier);
  return because === undefined ? [] : [{ file, line, because: `imports "${specifier}": ${because}` }];
}

function forbiddenPath(root: string, file: string, specifier: string): string | undefined {
  const target = slashed(relative(root, resolve(root, dirname(file), specifier)));
  if (isTest(target) && !isTest(file)) return "only tests may import what is for tests";
  if (target.startsWith(`packages/${layerOf(file)}/`)) return undefined;
  if (target.startsWith("packages/")) return "a package is imported by its name, never by a path into it";
  return isTest(file) ? undefined : "the source of a package never leaves its folder";
}

function forbiddenName(root: string, file: string, name: string, layer: Layer, specifier: string): string | undefined {
  if (isBuiltin(specifier)) {
    const builtin = specifier.replace(/^node:/, "");
    return layer.builtins(builtin) || isTest(file) ? undefined : `${name} may not use node:${builtin}`;
  }
  if (layer.packages.includes(specifier) || (isTest(file) && testPackages.includes(specifier))) return undefined;
  if (layer.dependencies && !specifier.startsWith("@countersign/")) {
    const declared = declaredBy(root, name).some((one) => specifier === one || specifier.startsWith(`${one}/`));
    return declared ? undefined : `packages/${name}/package.json does not declare it`;
  }
  return `${name} may import ${layer.packages.join(", ") || "no package"}${layer.packages.length > 0 ? " and no other package" : ""}`;
}

function declaredBy(root: string, layer: string): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "packages", layer, "package.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null) return [];
  const all = new Map<string, unknown>(Object.entries(manifest));
  return ["dependencies", "optionalDependencies"].flatMap((kind) => Object.keys(all.get(kind) ?? {}));
}

/** Each cycle once, at the import that closes it. A cycle of types alone is one too: neither file can be read first. */
function cycles(root: string, files: readonly string[], imports: readonly Import[]): readonly Violation[] {
  const edges = new Map(files.map((file) => [file, [] as { target: string; line: number }[]]));
  for (const { file, line, specifier } of imports) {
    if (specifier?.startsWith(".") !== true) continue;
    const target = slashed(relative(root, resolve(root, dirname(file), specifier)));
    if (edges.has(target)) edges.get(file)?.push({ target, line });
  }
  const violations: Violation[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (file: string): void => {
    path.push(file);
    for (const { target, line } of edges.get(file) ?? []) {
      const start = path.indexOf(target);
      if (start >= 0) {
        const because = `closes a cycle of imports: ${[...path.slice(start), target].join(" -> ")}`;
        violations.push({ file, line, because });
      } else if (!done.has(target)) walk(target);
    }
    path.pop();
    done.add(file);
  };
  for (const file of files) if (!done.has(file)) walk(file);
  return violations;
}

function layerOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** A test, or what tests share. */
function isTest(file: string): boolean {
  return file.endsWith(".test.ts") || file.includes("/under-test/");
}

function only(...allowed: readonly string[]): (name: string) => boolean {
  return (name) => allowed.includes(name);
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}

if (import.meta.main) {
  const violations = checkLayers(resolve(import.meta.dirname, ".."));
  for (const { file, line, because } of violations) console.error(`${file}:${line} ${because}`);
  if (violations.length > 0) process.exitCode = 1;
}
