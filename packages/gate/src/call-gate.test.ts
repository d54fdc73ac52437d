import { asServerName, digestOf, type Json, type Pointer, type Reason, readJson } from "@countersign/core";
import type { Bound } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { callGate } from "./call-gate.ts";

const server = asServerName("files") ?? expect.unreachable();
const policy = { narrow: new Map<string, Json>(), undeclared: "refuse", results: "pass" } as const;
const lookAround = { type: "object", properties: { id: { type: "string", pattern: "(?<=a)b" } } };

describe("callGate()", () => {
  test("refuses what it cannot check, unless whoever approved it was told so and acknowledged that", () => {
    const call = (...reasons: readonly Reason[]) =>
      callGate(policy).mayCall(boundTo(lookAround, reasons), params({ id: "ab" }));
    const rule = { rule: "pattern (look-around)", at: "/id" };
    expect(call()).toEqual({ code: "ARGUMENTS", rules: [rule] });
    expect(call(finding("runaway-pattern", false))).toEqual({ code: "ARGUMENTS", rules: [rule] });
    expect(call(finding("precedence", true))).toEqual({ code: "ARGUMENTS", rules: [rule] });
    expect(call(finding("runaway-pattern", true))).toBeUndefined();
  });

  test("still checks the rest of what it cannot check whole", () => {
    const schema = { ...lookAround, required: ["name"] };
    const bound = boundTo(schema, [finding("runaway-pattern", true)]);
    expect(callGate(policy).mayCall(bound, params({ id: "ab" }))).toEqual({
      code: "ARGUMENTS",
      rules: [{ rule: "required", at: "/name" }],
    });
  });

  test("holds what is let through to nothing but the operator's own word", () => {
    const narrow = new Map([["tool read", json({ properties: { id: { enum: ["a"] } } })]]);
    const bound = boundTo({ type: "object", required: ["name"] }, [{ gate: "baseline", code: "BYPASSED" }]);
    expect(callGate(policy).mayCall(bound, params({}))).toBeUndefined();
    expect(callGate({ ...policy, narrow }).mayCall(bound, params({ id: "b" }))?.code).toBe("NARROWED");
  });

  test("takes a call without arguments for one with none", () => {
    expect(callGate(policy).mayCall(boundTo({ type: "object" }), undefined)).toBeUndefined();
    expect(callGate(policy).mayCall(boundTo({ type: "object", required: ["a"] }), undefined)?.code).toBe("ARGUMENTS");
  });

  test("reads every rendering by itself, though the name stays", () => {
    const gate = callGate(policy);
    expect(gate.mayCall(boundTo({ type: "object" }), params({}))).toBeUndefined();
    expect(gate.mayCall(boundTo({ type: "object", required: ["a"] }), params({}))?.code).toBe("ARGUMENTS");
    expect(gate.mayCall(boundTo({ type: "object" }), params({}))).toBeUndefined();
  });

  test("holds a result to the output schema, but for errors and what is no result yet", () => {
    const gate = callGate({ ...policy, results: "check" });
    const bound = boundTo({ type: "object" }, [], { type: "array", items: { type: "number" } });
    const back = (result: object) => gate.mayReturn?.(bound, json(result));
    expect(back({ content: [], structuredContent: [1, 2] })).toBeUndefined();
    expect(back({ content: [], structuredContent: ["1"] })).toEqual({
      code: "RESULT",
      rules: [{ rule: "type", at: "/0" }],
    });
    expect(back({ content: [] })).toEqual({ code: "RESULT", rules: [{ rule: "structuredContent", at: "" }] });
    expect(back({ content: [], isError: true })).toBeUndefined();
    expect(back({ resultType: "input_required", inputRequests: {} })).toBeUndefined();
    expect(callGate(policy).mayReturn).toBeUndefined();
  });
});

function json(value: unknown): Json {
  const reading = readJson(JSON.stringify(value));
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

function params(args: object): Json {
  return json({ name: "read", arguments: args });
}

function boundTo(inputSchema: object, reasons: readonly Reason[] = [], outputSchema?: object): Bound {
  const text = JSON.stringify({ name: "read", inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) });
  const received = digestOf("tool", json(JSON.parse(text)));
  const address = { server, kind: "tool", name: "read" } as const;
  return { address, reasons, verdict: "bind", received, rendering: { text, digest: received } };
}

function finding(rule: string, acknowledged: boolean): Reason {
  return {
    ...{ gate: "schema", code: "FINDING", in: "rendering", acknowledged, added: false },
    finding: {
      ...{ rule, at: "/inputSchema" as Pointer, part: "leaf", effect: "ask", confidence: "high" },
      data: new Map(),
    },
  };
}
