import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { parse } from "yaml";
import type { Place } from "./rig/place.ts";
import { test } from "./rig/test.ts";

interface Workflow {
  readonly jobs: { readonly check: { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] } };
}

/** The names of all verbs, and what their help says. */
async function helps(place: Place): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await place.countersign("--help");
  const verbs = [...stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
  const texts = await Promise.all(
    verbs.map(async (verb) => [verb, (await place.countersign(verb, "--help")).stdout] as const),
  );
  return new Map(texts);
}

describe("the command line", () => {
  test("has an example in every help, and each of them is understood [cli.examples]", async ({ place }) => {
    const all = await helps(place);
    expect(all.size).toBeGreaterThan(15);
    for (const [verb, help] of all) {
      const examples = [...help.matchAll(/^ {2}\$ countersign (.*)$/gm)].map(([, line = ""]) => line);
      expect([verb, examples.length > 0]).toEqual([verb, true]);
      for (const example of examples) {
        const words = example.replace(/\$\([^)]*\)/, "x").split(" ");
        expect(words[0]).toBe(verb);
        const known = new Set([...help.matchAll(/--[a-z-]+/g)].map(([option]) => option));
        const end = words.indexOf("--");
        for (const word of words.slice(0, end === -1 ? undefined : end)) {
          if (word.startsWith("--")) expect([example, word, known.has(word)]).toEqual([example, word, true]);
        }
      }
    }
  });

  test("begins with a config that changes nothing, and writes over none [cli.init]", async ({ place }) => {
    const before = (await place.countersign("doctor", "--json")).stdout;
    expect(before).toContain("facts");
    for (const words of [["init"], ["init", "--user"], ["init", "--ci"]]) {
      const { code, stdout } = await place.countersign(...words);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^wrote .*countersign\.(?:jsonc; it changes nothing|yml; it needs a countersign\.lock)/),
      ]);
      const again = await place.countersign(...words);
      expect([again.code, again.stderr]).toEqual([
        3,
        expect.stringContaining("it is there already; edit it, or add --force"),
      ]);
    }
    const path = join(place.folder, "countersign.jsonc");
    expect(existsSync(join(place.folder, "config/countersign/countersign.jsonc"))).toBe(true);
    // It is a config that can be read, with all that it only suggests as well.
    expect((await place.countersign("status")).stderr).toBe("");
    const suggested = readFileSync(path, "utf8").replaceAll(/^( *)\/\/ (".*[^:.]$)/gm, "$1$2");
    writeFileSync(path, suggested);
    expect(suggested).toContain('\n  "strict": true,');
    expect((await place.countersign("status")).stderr).toBe("");
    const workflow = parse(readFileSync(join(place.folder, ".github/workflows/countersign.yml"), "utf8")) as Workflow;
    const steps = workflow.jobs.check.steps;
    expect(steps.at(-1)?.run).toMatch(/^npx --yes countersign@[0-9.]+ check --all$/);
    expect((await place.countersign("check", "--help")).stdout).toContain("--all");
    // An action by its name alone is whatever somebody publishes under it tomorrow.
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    writeFileSync(path, "broken");
    expect((await place.countersign("init", "--force")).code).toBe(0);
    expect(readFileSync(path, "utf8")).toContain("$schema");
  });
});
