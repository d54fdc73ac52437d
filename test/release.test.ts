import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
let project: string;

function run(file: string, ...args: readonly string[]): string {
  return execFileSync(file, args, { cwd: project, encoding: "utf8" });
}

/** What npm would publish, installed from the packed files into an empty project, with no registry to ask. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "release-"));
  execFileSync(process.execPath, ["tools/build.ts", "--publish"], { cwd: root });
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  mkdirSync(join(project, "packed"));
  const packed = ["core", "countersign"].map((name) => {
    const folder = join(root, "release", name);
    return `./packed/${run("npm", "pack", "--silent", "--pack-destination", "packed", folder).trim()}`;
  });
  run("npm", "install", "--silent", "--offline", ...packed);
}, 120_000);
afterAll(() => {
  rmSync(project, { recursive: true });
});

describe("what is published", () => {
  test("has a command", () => {
    expect(run("node_modules/.bin/countersign", "--version")).toBe("0.1.0\n");
  });

  test("depends on nothing", () => {
    expect(run("npm", "ls", "--all", "--parseable").trim().split("\n").length).toBe(3);
  });

  test("exports what the README names", () => {
    const script =
      'import * as a from "countersign"; import * as b from "@countersign/core"; console.log(a.bindManifest.name, b.verifyDefinition.name);';
    expect(run(process.execPath, "--input-type=module", "--eval", script)).toBe("bindManifest verifyDefinition\n");
  });

  test("has types that a strict reader can check", () => {
    writeFileSync(
      join(project, "reader.ts"),
      [
        'import { bindManifest, type Ruling } from "countersign";',
        'import { readJson, type JsonReading } from "@countersign/core";',
        "export const reading: JsonReading = readJson('1');",
        "export const verdicts = (rulings: readonly Ruling[]): string[] => rulings.map((ruling) => ruling.verdict);",
        "// @ts-expect-error an any would let this pass",
        "export const wrong: number = bindManifest;",
      ].join("\n"),
    );
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--target", "ES2024", "--module", "NodeNext", "--types", "node"];
    const types = ["--typeRoots", join(root, "node_modules/@types")];
    expect(run(process.execPath, tsc, ...options, ...types, "reader.ts")).toBe("");
  });
});
