import { type Digest, type Json, memberOf, type Pointer, readJson, root } from "@countersign/core";
import {
  checkArguments,
  checkValue,
  type NarrowFault,
  narrowArguments,
  narrowFaults,
  type Violation,
} from "@countersign/judge/call";
import type { Bound, CallGate, CallRefusal } from "@countersign/wire";
import type { CallPolicy } from "./config.ts";
import { withoutSecrets } from "./launch/without-secrets.ts";

/**
 * Each call against the definition that was approved, as the model was given it: its arguments, closed and narrowed, and,
 * where the policy says so, what comes back.
 */
export function callGate({ narrow: narrows, undeclared, results }: CallPolicy): CallGate {
  const schemasOf = remembering(narrows);
  return {
    mayCall(bound, params) {
      const { input, narrow, faults } = schemasOf(bound);
      const args = memberOf(params, "arguments") ?? nothing;
      // What the operator lets pass, nobody has approved: there is nothing to hold it against but the operator's own word.
      if (!isLetThrough(bound)) {
        const broken = checkable(bound, checkArguments(input, args, { closeRoot: undeclared === "refuse" }));
        if (broken.length > 0) return refusal("ARGUMENTS", broken.map(rowOf));
      }
      if (narrow === undefined) return undefined;
      if (faults.length > 0)
        return refusal(
          "NARROW_UNFIT",
          faults.map(({ at, because }) => ({ rule: because, at })),
        );
      const outside = narrowArguments(narrow, args, input);
      return outside.length === 0 ? undefined : refusal("NARROWED", outside.map(rowOf));
    },
    ...(results === "check" ? { mayReturn: (bound, result) => mayReturn(schemasOf(bound), bound, result) } : {}),
  };
}

interface Schemas {
  readonly input: Json;
  readonly output: Json | undefined;
  readonly narrow: Json | undefined;
  readonly faults: readonly NarrowFault[];
}

/** Of renderings, which the ledger names by their digests; so one that changes has another. */
function remembering(narrows: CallPolicy["narrow"]): (bound: Bound) => Schemas {
  const known = new Map<Digest, Schemas>();
  return ({ address, rendering }) => {
    const before = known.get(rendering.digest);
    if (before !== undefined) return before;
    const reading = readJson(rendering.text);
    if (reading.is === "refused") throw new Error(`the text of ${rendering.digest} is not JSON`);
    const input = memberOf(reading.json, "inputSchema") ?? nothing;
    const narrow = narrows.get(`${address.kind} ${address.name}`);
    const faults = narrow === undefined ? [] : narrowFaults(narrow, input);
    const schemas = { input, output: memberOf(reading.json, "outputSchema"), narrow, faults };
    // Approved texts are few. What is let through may be anything.
    if (known.size >= most) known.clear();
    known.set(rendering.digest, schemas);
    return schemas;
  };
}

const most = 1_000;
const nothing: Json = { is: "object", start: 0, end: 2, members: [] };

/** MCP: a tool with an output schema gives structured content that holds to it, but for an error. */
function mayReturn({ output }: Schemas, bound: Bound, result: Json): CallRefusal | undefined {
  // What asks for more first, and what goes on as a task, is no result yet.
  const type = memberOf(result, "resultType");
  if ((type?.is === "string" && type.value !== "complete") || memberOf(result, "task") !== undefined) return undefined;
  const failed = memberOf(result, "isError");
  if (output === undefined || isLetThrough(bound) || (failed?.is === "boolean" && failed.value)) return undefined;
  const content = memberOf(result, "structuredContent");
  if (content === undefined) return refusal("RESULT", [{ rule: "structuredContent", at: root }]);
  const broken = checkable(bound, checkValue(output, content));
  return broken.length === 0 ? undefined : refusal("RESULT", broken.map(rowOf));
}

function isLetThrough({ reasons }: Bound): boolean {
  return reasons.some(({ code }) => code === "OBSERVED" || code === "BYPASSED");
}

/**
 * Whoever approved a schema that cannot be checked in all it says was told so by a rule, and acknowledged that. What such a
 * part says is not held against a call then.
 */
function checkable({ reasons }: Bound, violations: readonly Violation[]): readonly Violation[] {
  if (!violations.some(({ code }) => code === "UNSUPPORTED")) return violations;
  const told = reasons.some(
    (reason) => reason.code === "FINDING" && reason.acknowledged && uncheckable.has(reason.finding.rule),
  );
  return told ? violations.filter(({ code }) => code !== "UNSUPPORTED") : violations;
}

const uncheckable: ReadonlySet<string> = new Set([
  "unsupported-schema",
  "runaway-pattern",
  "unknown-dialect",
  "remote-ref",
]);

function rowOf(violation: Violation): { rule: string; at: Pointer } {
  switch (violation.code) {
    case "FAILED":
      // A schema that is `false`, where it stands for all that a schema does not declare.
      if (violation.keyword === "false" && /\/(?:additional|unevaluated)Properties$/.test(violation.schema)) {
        return { rule: "undeclared", at: violation.at };
      }
      return { rule: violation.because ?? violation.keyword, at: violation.at };
    case "UNSUPPORTED":
      return { rule: `${violation.keyword} (${violation.because})`, at: violation.at };
    case "UNDECLARED":
      return { rule: "undeclared", at: violation.at };
    case "TOO_MUCH_WORK":
      return { rule: "too much work", at: violation.at };
  }
}

/** Places are made of names that a model wrote, and it may have put anything there. */
function refusal(code: string, rules: CallRefusal["rules"]): CallRefusal {
  return {
    code,
    rules: rules.map(({ rule, at }) => ({ rule, at: withoutSecrets(at.slice(0, longest)) as Pointer })),
  };
}

const longest = 200;
