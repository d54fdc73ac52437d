import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect } from "vitest";
import { test } from "./rig/test.ts";

const page = readFileSync(join(resolve(import.meta.dirname, ".."), "docs/deny-rules.md"), "utf8");

/** The commands that decide something, or let something count, or take the gate away. */
const deciding = ["approve", "review", "reject", "revoke", "trust", "untrust", "bypass", "wrap", "unwrap", "key"];
/** The commands that only show, or stand between host and server. */
const showing = [
  ...["run", "scan", "status", "log", "explain", "prove", "doctor", "rewrite", "import", "help"],
  ...["lint", "manifest", "lock", "check", "init", "completion", "gateway", "sign-in", "sign-out"],
];

describe("the deny rules of docs/deny-rules.md [agent.deny-rules]", () => {
  const sections = page.split(/^## /m).filter((section) => section.includes("```"));

  test("are there for five hosts", () => {
    expect(sections.map((section) => section.split("\n")[0])).toEqual([
      "Claude Code",
      "Codex",
      "Gemini CLI",
      "Cursor",
      "VS Code",
    ]);
  });

  test("name every command that decides, for every host", () => {
    for (const section of sections) {
      const blocks = [...section.matchAll(/```[a-z]+\n(.*?)```/gs)].map(([, block]) => block).join("\n");
      for (const verb of deciding) expect(blocks).toMatch(new RegExp(`countersign[^\\n]*\\b${verb}\\b`));
    }
  });

  test("are JSON where they say so", () => {
    const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, block = ""]) => JSON.parse(block) as unknown);
    expect(blocks).toHaveLength(3);
  });

  test("know every command that there is", async ({ place }) => {
    const { stdout } = await place.countersign("--help");
    const verbs = [...stdout.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*)(?: [[<]| {2})/gm)].map(([, verb = ""]) => verb);
    expect(verbs).toContain("approve");
    const known = new Set([...deciding, ...showing]);
    expect(verbs.filter((verb) => !known.has(verb))).toEqual([]);
  });
});
