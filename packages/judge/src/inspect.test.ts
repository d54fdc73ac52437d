import { readJson, root } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { findingsOf } from "./inspect.ts";
import { defaultPolicy } from "./policy.ts";
import type { Claim, Rule } from "./rule.ts";
import { hiddenText } from "./rules/hidden-text.ts";
import { subjectOfJson } from "./under-test/subject-of-json.ts";

describe("findingsOf()", () => {
  test("gives a claim the rule's effect and confidence unless it has its own", () => {
    const rule = ruleOf([{}, { effect: "note", confidence: "low" }]);
    expect(found(rule).map(({ effect, confidence }) => [effect, confidence])).toEqual([
      ["ask", "medium"],
      ["note", "low"],
    ]);
  });

  test("sets the operator's severity above both, and says nothing of a rule that is off", () => {
    const rule = ruleOf([{}, { effect: "refuse" }]);
    const severe = { ...defaultPolicy, severities: new Map([["rule", "note" as const]]) };
    const off = { ...defaultPolicy, severities: new Map([["rule", "off" as const]]) };
    expect(findingsOf([rule], () => subject("a"), severe).map(({ effect }) => effect)).toEqual(["note", "note"]);
    expect(findingsOf([rule], () => subject("a"), off)).toEqual([]);
  });

  test("keeps a hundred findings of one effect, and a refusal behind a thousand questions", () => {
    const asks = Array.from({ length: 1_000 }, () => ({}));
    const findings = found(ruleOf([...asks, { effect: "refuse" }]));
    const effects = findings.map(({ effect }) => effect);
    expect(findings.map(({ data }) => data.get("more")).filter((more) => more !== undefined)).toEqual(["900"]);
    expect([effects.length, effects.filter((effect) => effect === "ask").length, effects.at(-1)]).toEqual([
      101,
      100,
      "refuse",
    ]);
  });

  test("points into the text of the carrier", () => {
    const [finding] = findingsOf([hiddenText], () => subject("ab\u200bc"), defaultPolicy);
    expect(finding).toEqual({
      rule: "hidden-text",
      at: "/description",
      part: "leaf",
      span: { start: 2, end: 3 },
      effect: "refuse",
      confidence: "high",
      data: new Map([["characters", "U+200B"]]),
    });
  });
});

function ruleOf(claims: readonly Partial<Claim>[]): Rule {
  return {
    id: "rule",
    gate: "description",
    effect: "ask",
    confidence: "medium",
    summary: "Speaks",
    taxa: [],
    inspect: () => claims.map((claim): Claim => ({ at: root, part: "leaf", ...claim })),
  };
}

function found(rule: Rule) {
  return findingsOf([rule], () => subject("a"), defaultPolicy);
}

function subject(description: string) {
  const reading = readJson(JSON.stringify({ name: "find", description, inputSchema: { type: "object" } }));
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return subjectOfJson(reading.json);
}
