import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { build, type Metafile } from "esbuild";
import ts from "typescript";

/**
 * Without an argument: bundles the command to packages/gate/dist, where the tests run it.
 *
 * With `--publish`: writes release/core and release/countersign, each ready for `npm publish`. In the repository the
 * packages export their sources, so that node, tsc and vitest read the same files without a build. What is published
 * exports JavaScript and declarations, and has a manifest of its own, written here.
 */
const root = resolve(import.meta.dirname, "..");
const core = join(root, "packages/core");
const gate = join(root, "packages/gate");
const { optionalDependencies: optional } = JSON.parse(readFileSync(join(gate, "package.json"), "utf8"));

async function main(): Promise<void> {
  if (!process.argv.includes("--publish")) {
    await bundle({ bin: "bin.ts" }, join(gate, "dist"));
    return;
  }
  const release = join(root, "release");
  rmSync(release, { recursive: true, force: true });
  releaseCore(join(release, "core"));
  await releaseCountersign(join(release, "countersign"));
}

/**
 * One file for each entry and for each `import()`, so that `countersign run` loads nothing that it does not use; beside
 * them what the code reads at run time.
 */
async function bundle(entries: Readonly<Record<string, string>>, outdir: string): Promise<Metafile> {
  const entryPoints = Object.entries({ ...entries, "prove-worker": "prove/prove-worker.ts" }).map(([out, file]) => ({
    in: join(gate, "src", file),
    out,
  }));
  for (const { in: entry } of entryPoints) {
    if (!existsSync(entry)) throw new Error(`Cannot build ${relative(root, entry)}: no such file`);
  }
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    mainFields: ["module", "main"],
    // Machine code, one build for each system: npm installs it beside the bundle, where it can.
    external: Object.keys(optional),
    // The CommonJS among the dependencies requires builtins.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  chmodSync(join(outdir, "bin.js"), 0o755);
  const pages = join(root, "docs/rules");
  if (existsSync(pages)) cpSync(pages, join(outdir, "rules"), { recursive: true });
  return metafile;
}

function releaseCore(folder: string): void {
  emit(["core"], { rootDir: join(core, "src"), outDir: join(folder, "dist") });
  writeManifest(core, folder, {
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    publishConfig: { access: "public" },
  });
}

async function releaseCountersign(folder: string): Promise<void> {
  const metafile = await bundle(
    { bin: "bin.ts", index: "index.ts", testing: "testing/index.ts" },
    join(folder, "dist"),
  );
  const types = join(folder, "types");
  emit(["core", "judge", "ledger", "wire", "gate"], {
    rootDir: join(root, "packages"),
    outDir: types,
    emitDeclarationOnly: true,
  });
  writeManifest(gate, folder, {
    bin: { countersign: "dist/bin.js" },
    optionalDependencies: optional,
    exports: {
      ".": { types: "./types/gate/src/index.d.ts", default: "./dist/index.js" },
      "./testing": { types: "./types/gate/src/testing/index.d.ts", default: "./dist/testing.js" },
    },
    publishConfig: { access: "public" },
  });
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), noticesOf(metafile));
  copyFileSync(join(gate, "countersign.schema.json"), join(folder, "countersign.schema.json"));
}

/** JavaScript and declarations of these packages' public API. */
function emit(packages: readonly string[], options: ts.CompilerOptions): void {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options: base } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const entries = packages.map((name) => join(root, "packages", name, "src/index.ts"));
  if (packages.includes("gate")) entries.push(join(gate, "src/testing/index.ts"));
  const program = ts.createProgram(entries, {
    ...base,
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    ...options,
  });
  const { diagnostics } = program.emit(undefined, (file, text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, file.endsWith(".d.ts") ? byPath(text, file, options.outDir ?? "") : text);
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length === 0) return;
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => "\n",
  };
  throw new Error(`Cannot emit ${packages.join(", ")}:\n${ts.formatDiagnostics(problems, host)}`);
}

/** The packages that are not published are bundled, so their declarations are reached by path; and no source is published. */
function byPath(declarations: string, file: string, types: string): string {
  const published = declarations.replace(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"');
  return published.replace(
    /"@countersign\/(core|judge|ledger|wire)(\/(?:call|http))?"/g,
    (_, name: string, part = "") => {
      const path = relative(dirname(file), join(types, name, `src${part}/index.js`));
      return JSON.stringify(path.startsWith(".") ? path : `./${path}`);
    },
  );
}

function writeManifest(from: string, folder: string, published: Readonly<Record<string, unknown>>): void {
  const { name, version, description, license, type } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  // `node:sqlite` without a flag. In the repository npm would warn a Node 20 that only starts the build.
  const engines = { node: ">=22.13" };
  const manifest = { name, version, description, license, type, engines, ...published };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const readme = [join(from, "README.md"), join(root, "README.md")].find((file) => existsSync(file));
  if (readme !== undefined) copyFileSync(readme, join(folder, "README.md"));
}

/** The licences of what the bundle holds. */
function noticesOf({ inputs }: Metafile): string {
  const packages = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const notices = [...new Set(packages)].sort().map((folder) => {
    const licence = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
    if (licence === undefined) throw new Error(`Cannot publish ${folder}: its package holds no licence`);
    const { name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(join(root, folder, licence), "utf8").trim()}\n`;
  });
  return notices.join(`\n${"-".repeat(80)}\n\n`);
}

await main();
