import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkLayers } from "./check-layers.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "layers-"));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

/** What the check says of a tree of these files, as `file:line because`. */
function saidOf(files: Readonly<Record<string, string>>): readonly string[] {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return checkLayers(root).map(({ file, line, because }) => `${file}:${line} ${because}`);
}

const gateManifest = JSON.stringify({ dependencies: { commander: "1.0.0", "@clack/prompts": "1.0.0" } });

describe("checkLayers() allows", () => {
  test("what each layer needs", () => {
    const said = saidOf({
      "packages/core/src/a.ts": 'import { createHash } from "node:crypto"; import { b } from "./b.ts";',
      "packages/core/src/b.ts": "export const b = 1;",
      "packages/judge/src/a.ts": 'import { b } from "@countersign/core";',
      "packages/ledger/src/a.ts": 'import { DatabaseSync } from "node:sqlite"; import "@countersign/core";',
      "packages/wire/src/a.ts": 'import { spawn } from "node:child_process"; import "@countersign/core";',
      "packages/gate/package.json": gateManifest,
      "packages/gate/src/a.ts": [
        'import manifest from "../package.json" with { type: "json" };',
        'import "@countersign/judge"; import "@countersign/ledger"; import "@countersign/wire";',
        'const { Command } = await import("commander"); await import("@clack/prompts"); await import("node:sqlite");',
      ].join("\n"),
    });
    expect(said).toEqual([]);
  });

  test("test tools and any builtin in a test, and in what tests share", () => {
    const said = saidOf({
      "packages/ledger/src/under-test/a.ts": 'import "vitest"; import "node:child_process"; import "../b.ts";',
      "packages/ledger/src/a.test.ts": 'import "./under-test/a.ts";',
      "packages/judge/src/a.test.ts":
        'import "vitest"; import "fast-check"; import "canonicalize"; import "node:fs"; import "../../../vectors/v.ts";',
    });
    expect(said).toEqual([]);
  });

  test("what only looks like an import", () => {
    const said = saidOf({
      "packages/core/src/a.ts": '// import "node:fs";\nconst s = \'import("node:fs")\'; const r = /import "node:fs"/;',
    });
    expect(said).toEqual([]);
  });
});

describe("checkLayers() refuses", () => {
  test.each([
    ["core", 'import "node:fs";', "core may not use node:fs"],
    ["core", 'import "fs";', "core may not use node:fs"],
    ["core", 'import "@countersign/judge";', "core may import no package"],
    ["core", 'import "zod";', "core may import no package"],
    ["judge", 'import "node:crypto";', "judge may not use node:crypto"],
    ["judge", 'import "@countersign/ledger";', "judge may import @countersign/core, re2js and no other package"],
    ["judge", 'import "@countersign/core/src/a.ts";', "judge may import @countersign/core, re2js and no other package"],
    ["ledger", 'import "node:child_process";', "ledger may not use node:child_process"],
    ["ledger", 'import "@countersign/wire";', "ledger may import @countersign/core and no other package"],
    ["wire", 'import "node:sqlite";', "wire may not use node:sqlite"],
    ["wire", 'import "@countersign/judge";', "wire may import @countersign/core, cross-spawn and no other package"],
    ["wire", 'import "countersign";', "wire may import @countersign/core, cross-spawn and no other package"],
    ["gate", 'import "zod";', "packages/gate/package.json does not declare it"],
    ["gate", 'import "commander-extra";', "packages/gate/package.json does not declare it"],
    [
      "gate",
      'import "@countersign/other";',
      "gate may import @countersign/core, @countersign/judge, @countersign/judge/call, @countersign/ledger, @countersign/wire, @countersign/wire/http and no other package",
    ],
    ["gate", 'import "../../core/src/a.ts";', "a package is imported by its name, never by a path into it"],
    ["gate", 'import "../../../tools/a.ts";', "the source of a package never leaves its folder"],
    ["core", 'import "./a.test.ts";', "only tests may import what is for tests"],
    ["ledger", 'import "./under-test/samples.ts";', "only tests may import what is for tests"],
    ["core", 'import "vitest";', "core may import no package"],
  ])("in %s: %s", (layer, text, because) => {
    const specifier = text.split('"')[1];
    const said = saidOf({
      "packages/gate/package.json": gateManifest,
      [`packages/${layer}/src/x.ts`]: `\n${text}`,
    });
    expect(said).toEqual([`packages/${layer}/src/x.ts:2 imports "${specifier}": ${because}`]);
  });

  test.each([
    ["an export", 'export { a } from "node:fs";'],
    ["an export of everything", 'export * from "node:fs";'],
    ["a type", 'import type { Stats } from "node:fs";'],
    ["a type in place", 'type S = import("node:fs").Stats;'],
    ["a dynamic import", 'const fs = await import("node:fs");'],
    ["a template without holes", "const fs = await import(`node:fs`);"],
    ["a require", 'const fs = require("node:fs");'],
    ["an assignment", 'import fs = require("node:fs");'],
    ["getBuiltinModule", 'const fs = process.getBuiltinModule("node:fs");'],
  ])("a forbidden module in %s", (_, text) => {
    expect(saidOf({ "packages/core/src/x.ts": text })).toEqual([
      'packages/core/src/x.ts:1 imports "node:fs": core may not use node:fs',
    ]);
  });

  test("a test that imports a foreign layer", () => {
    expect(saidOf({ "packages/wire/src/x.test.ts": 'import "@countersign/ledger";' })).toEqual([
      'packages/wire/src/x.test.ts:1 imports "@countersign/ledger": wire may import @countersign/core, cross-spawn and no other package',
    ]);
  });

  test("a computed name", () => {
    expect(saidOf({ "packages/gate/src/x.ts": "const name = 'a';\nawait import(name);" })).toEqual([
      "packages/gate/src/x.ts:2 imports a computed name, which nobody can check",
    ]);
  });

  test("a package that has no layer", () => {
    expect(saidOf({ "packages/extra/src/x.ts": "export const x = 1;" })).toEqual([
      "packages/extra:1 no layer: tools/check-layers.ts does not know it",
    ]);
  });

  test("a cycle, of types too", () => {
    const said = saidOf({
      "packages/core/src/a.ts": 'import { b } from "./b.ts";',
      "packages/core/src/b.ts": 'import "./c.ts";\nexport { c } from "./deep/c.ts";',
      "packages/core/src/c.ts": "export const c = 1;",
      "packages/core/src/deep/c.ts": 'import type { A } from "../a.ts";',
    });
    expect(said).toEqual([
      "packages/core/src/deep/c.ts:1 closes a cycle of imports: packages/core/src/a.ts -> packages/core/src/b.ts -> packages/core/src/deep/c.ts -> packages/core/src/a.ts",
    ]);
  });
});
