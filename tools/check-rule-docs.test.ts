import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Rule } from "@countersign/judge";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkRuleDocs } from "./check-rule-docs.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rule-docs-"));
  write("docs/rules.md", table);
  write("docs/rules/loud.md", page);
  for (const name of ["a", "b", "c"]) {
    write(`vectors/rules/loud/${name}.json`, '{ "expect": [{ "at": "/description" }] }');
    write(`vectors/rules/loud/not-${name}.json`, '{ "expect": [] }');
  }
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const loud: Rule = {
  id: "loud",
  gate: "description",
  effect: "ask",
  confidence: "low",
  summary: "Shouts | at the reader",
  taxa: ["OWASP-MCP03", "SAFE-T1001"],
  inspect: () => [],
};

const page = `# loud

Shouts | at the reader.

## Why

## Example

## Remedy

## Known false positives
`;

const table = `# Rules

Written by \`tools/check-rule-docs.ts\`; do not edit. The effect is the rule's own: a claim can be weaker or stronger, and the
policy can set another. The names in the last column are of the OWASP MCP Top 10, MITRE ATLAS and OpenSSF SAFE-MCP.

| rule | gate | effect | confidence | a definition that | taxa |
|---|---|---|---|---|---|
| [loud](rules/loud.md) | description | ask | low | Shouts \\| at the reader | OWASP-MCP03, SAFE-T1001 |
`;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

describe("checkRuleDocs()", () => {
  test("finds nothing amiss where each rule has its page, its vectors and its row", () => {
    expect(checkRuleDocs(root, [loud])).toEqual([]);
  });

  test("wants a page and vectors of every rule, and its row", () => {
    expect(checkRuleDocs(root, [loud, { ...loud, id: "louder" }])).toEqual([
      "docs/rules/louder.md is missing",
      "vectors/rules/louder has 0 vectors with findings and 0 without; it needs 3 of each",
      "docs/rules.md is stale: run node tools/check-rule-docs.ts --write",
    ]);
  });

  test("wants a rule for every page and every folder of vectors", () => {
    write("docs/rules/quiet.md", page);
    write("vectors/rules/quiet/a.json", '{ "expect": [] }');
    expect(checkRuleDocs(root, [loud])).toEqual([
      "docs/rules/quiet.md is about no rule",
      "vectors/rules/quiet is about no rule",
    ]);
  });

  test("wants the summary and all sections on a page", () => {
    write("docs/rules/loud.md", page.replace("Shouts", "Whispers").replace("## Remedy\n", ""));
    expect(checkRuleDocs(root, [loud])).toEqual([
      "docs/rules/loud.md does not begin with the rule's name and summary",
      'docs/rules/loud.md has no "## Remedy"',
    ]);
  });

  test("wants vectors that expect nothing as well", () => {
    rmSync(join(root, "vectors/rules/loud/not-a.json"));
    expect(checkRuleDocs(root, [loud])).toEqual([
      "vectors/rules/loud has 3 vectors with findings and 2 without; it needs 3 of each",
    ]);
  });

  test("wants an expectation in every vector", () => {
    write("vectors/rules/loud/d.json", "{}");
    expect(checkRuleDocs(root, [loud])).toEqual(["vectors/rules/loud/d.json expects nothing"]);
  });

  test("notices a table that is stale", () => {
    expect(checkRuleDocs(root, [{ ...loud, effect: "refuse" }])).toEqual([
      "docs/rules.md is stale: run node tools/check-rule-docs.ts --write",
    ]);
  });
});
