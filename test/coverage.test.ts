import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { requirements } from "./requirements.ts";

const root = resolve(import.meta.dirname, "..");

/** The files of all tests, but for this one. */
const tests = ["test", "tools", "packages"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter(
    (file) => file.endsWith(".test.ts") && !file.includes("node_modules") && file !== join("test", "coverage.test.ts"),
  );

describe("requirements", () => {
  test("have different ids, in two parts", () => {
    const ids = requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(`[${id}]`).toMatch(/^\[[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*\]$/);
  });

  const cited = new Map<string, string>();
  for (const file of tests) {
    for (const id of citationsIn(readFileSync(join(root, file), "utf8"))) cited.set(id, file);
  }

  test("are cited by a test each, or shown by files that are there", () => {
    expect(tests.length).toBeGreaterThan(20);
    const uncited = requirements.filter(({ id, shownBy = [] }) => !cited.has(id) && shownBy.length === 0);
    expect(uncited.map(({ id, source }) => `${id} (${source})`)).toEqual([]);
    const missing = requirements.flatMap(({ id, shownBy = [] }) =>
      shownBy.filter((file) => !existsSync(join(root, file))).map((file) => `${id}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  test("are known where a test cites one", () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect([...cited].filter(([id]) => !known.has(id))).toEqual([]);
  });
});

/** Ids between brackets, in what is written as a text. */
function citationsIn(source: string): readonly string[] {
  const texts = source.matchAll(/(["'`])((?:\\.|(?!\1).)*)\1/g);
  return [...texts].flatMap(([, , text = ""]) =>
    [...text.matchAll(/\[([a-z][a-z0-9-]*\.[a-z][a-z0-9-]*)\]/g)].map(([, id = ""]) => id),
  );
}
