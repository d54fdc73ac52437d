import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownPathOf, projectConfigFrom, realPathOf, repositoryAround } from "./repository.ts";

let folder: string;

beforeEach(() => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), "countersign-repository-")));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function make(path: string, text = "{}"): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function made(path: string): string {
  const made = join(folder, path);
  mkdirSync(made, { recursive: true });
  return made;
}

describe("projectConfigFrom()", () => {
  test("takes the nearest config upward", () => {
    made("clone/.git");
    const root = make("clone/countersign.jsonc");
    const near = make("clone/a/countersign.jsonc");
    expect(projectConfigFrom(made("clone/a/b/c"), undefined)).toBe(near);
    expect(projectConfigFrom(made("clone/other"), undefined)).toBe(root);
    expect(projectConfigFrom(join(folder, "clone"), undefined)).toBe(root);
  });

  test("looks no further than the first folder with .git, be that a file as in a worktree", () => {
    made("outer/.git");
    make("outer/countersign.jsonc");
    make("outer/module/.git", "gitdir: ../.git/modules/module\n");
    expect(projectConfigFrom(made("outer/module/src"), undefined)).toBeUndefined();
  });

  test("looks at the folder alone where no folder has .git", () => {
    const config = make("loose/countersign.jsonc");
    expect(projectConfigFrom(join(folder, "loose"), undefined)).toBe(config);
    expect(projectConfigFrom(made("loose/inner"), undefined)).toBeUndefined();
  });

  test("never takes the home folder's, even where that is a repository", () => {
    made("home/.git");
    make("home/countersign.jsonc");
    const home = join(folder, "home");
    expect(projectConfigFrom(home, home)).toBeUndefined();
    expect(projectConfigFrom(made("home/work"), home)).toBeUndefined();
    expect(projectConfigFrom("/", home)).toBeUndefined();
  });

  test("takes a link that leads nowhere for a config", () => {
    made("clone/.git");
    symlinkSync("nowhere", join(folder, "clone/countersign.jsonc"));
    expect(projectConfigFrom(join(folder, "clone"), undefined)).toBe(join(folder, "clone/countersign.jsonc"));
  });
});

describe("repositoryAround()", () => {
  test("finds the folder of version control, or of a host's project config", () => {
    made("clone/.git");
    make("unpacked/.mcp.json");
    make("editor/.vscode/mcp.json");
    expect(repositoryAround(made("clone/a/b"), undefined)).toBe(join(folder, "clone"));
    expect(repositoryAround(made("unpacked/a"), undefined)).toBe(join(folder, "unpacked"));
    expect(repositoryAround(join(folder, "editor"), undefined)).toBe(join(folder, "editor"));
  });

  test("does not take the home folder for one, nor what is above it", () => {
    made(".git");
    const home = made("home");
    make("home/.vscode/mcp.json");
    expect(repositoryAround(made("home/.config"), home)).toBeUndefined();
  });

  test("finds nothing around a loose folder", () => {
    expect(repositoryAround(made("a/b"), undefined)).toBeUndefined();
  });
});

test("realPathOf() follows links, of what is not there yet too", () => {
  made("target");
  symlinkSync("target", join(folder, "link"));
  expect(realPathOf(join(folder, "link/new/ledger.db"))).toBe(join(folder, "target/new/ledger.db"));
});

test("ownPathOf() follows the links of the folder, not of the file", () => {
  made("target");
  make("elsewhere.jsonc");
  symlinkSync("target", join(folder, "link"));
  symlinkSync("../elsewhere.jsonc", join(folder, "target/countersign.jsonc"));
  expect(ownPathOf(join(folder, "link/countersign.jsonc"))).toBe(join(folder, "target/countersign.jsonc"));
});
