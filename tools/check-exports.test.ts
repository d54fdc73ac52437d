import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { uncalledExports } from "./check-exports.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "exports-"));
  for (const folder of ["test", "tools", "demo", "bench"]) mkdirSync(join(root, folder));
  for (const name of ["judge", "ledger", "wire"]) write(`packages/${name}/src/index.ts`, "");
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

test("uncalledExports() allows what another folder imports, renames or hands on, types too", () => {
  write("packages/judge/src/index.ts", 'export { a, type B, c } from "./a.ts";\nexport type { D } from "./d.ts";');
  write("packages/gate/src/a.ts", 'import { a as renamed, type B } from "@countersign/judge";');
  write("packages/gate/src/index.ts", 'export { c } from "@countersign/judge";');
  write("test/a.test.ts", 'import type { D } from "@countersign/judge";');
  expect(uncalledExports(root)).toEqual([]);
});

test("uncalledExports() names an export that only its own package uses", () => {
  write("packages/wire/src/index.ts", 'export { a, type B } from "./a.ts";');
  write("packages/wire/src/c.ts", 'import { a, type B } from "@countersign/wire";');
  write("packages/gate/src/a.ts", 'import { a } from "@countersign/judge";');
  expect(uncalledExports(root)).toEqual([
    "packages/wire/src/index.ts exports a, and nobody imports it",
    "packages/wire/src/index.ts exports B, and nobody imports it",
  ]);
});

test("uncalledExports() refuses an export of everything", () => {
  write("packages/ledger/src/index.ts", 'export * from "./a.ts";');
  expect(uncalledExports(root)).toEqual([
    "packages/ledger/src/index.ts exports * (name each export), and nobody imports it",
  ]);
});
