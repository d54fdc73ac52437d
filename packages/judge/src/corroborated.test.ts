import { below, type Finding, root } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { corroborated } from "./corroborated.ts";
import { defaultPolicy } from "./policy.ts";

function finding(rule: string, start: number, more: Partial<Finding> = {}): Finding {
  return {
    ...{ rule, at: below(root, "description"), part: "leaf", span: { start, end: start + 10 }, effect: "ask" },
    ...{ confidence: "high", data: new Map(), ...more },
  };
}

const effects = (findings: readonly Finding[], policy = defaultPolicy) =>
  corroborated(findings, policy).map(({ effect }) => effect);

describe("a rule and the model", () => {
  test("refuse together what each only asks about, where they speak of the same words [judge.corroborated]", () => {
    expect(effects([finding("agent-order", 0), finding("reads-as-order", 5)])).toEqual(["refuse", "ask"]);
    expect(effects([finding("agent-order", 0), finding("reads-as-order", 10)])).toEqual(["ask", "ask"]);
    expect(effects([finding("agent-order", 0), finding("reads-as-order", 5, { part: "key" })])).toEqual(["ask", "ask"]);
  });

  test("refuse nothing where the model is not sure, or alone [judge.corroborated]", () => {
    expect(effects([finding("agent-order", 0), finding("reads-as-order", 5, { confidence: "medium" })])).toEqual([
      "ask",
      "ask",
    ]);
    expect(effects([finding("reads-as-order", 0), finding("reads-as-order", 5)])).toEqual(["ask", "ask"]);
  });

  test("take nothing back, and make nothing of a note [judge.corroborated]", () => {
    const both = [finding("concealment", 0, { effect: "refuse" }), finding("secret-path", 0, { effect: "note" })];
    expect(effects([...both, finding("reads-as-order", 5)])).toEqual(["refuse", "note", "ask"]);
  });

  test("refuse no claim that honest vendors make, and nothing that the operator has a say in [judge.corroborated]", () => {
    expect(effects([finding("precedence", 0), finding("reads-as-order", 5)])).toEqual(["ask", "ask"]);
    const policy = { ...defaultPolicy, severities: new Map([["agent-order", "ask" as const]]) };
    expect(effects([finding("agent-order", 0), finding("reads-as-order", 5)], policy)).toEqual(["ask", "ask"]);
  });
});
