import { below, type Json, root } from "@countersign/core";
import { Evaluation } from "./evaluation.ts";
import type { Seen } from "./keyword.ts";
import type { Violation } from "./violation.ts";

export interface CheckOptions {
  /**
   * Refuse an argument that nothing declares, where the schema's root is open because it says nothing about others. As
   * `unevaluatedProperties: false` would: a branch that does not hold declares nothing.
   */
  readonly closeRoot?: boolean;
  /** What the check may cost, in steps of about a tenth of a microsecond. Beyond it the arguments are refused. */
  readonly steps?: number;
}

/** About half a second. A call of a captured tool takes some hundred steps, a list of 100,000 numbers 300,000. */
export const mostSteps = 5_000_000;

/**
 * Checks the arguments of a call against the approved input schema. `format` is an annotation, as in the specification.
 * None of it is done by generated code, and no pattern is run by an engine that backtracks.
 *
 * @param schema JSON that was approved; keep it, because what is made of it is kept with it
 * @returns nothing where the arguments may pass
 */
export function checkArguments(schema: Json, args: Json, options: CheckOptions = {}): readonly Violation[] {
  const { closeRoot = false, steps = mostSteps } = options;
  // MCP: `arguments` is an object, whatever the schema leaves out.
  if (args.is !== "object") return [{ code: "FAILED", keyword: "type", at: root, schema: root }];
  const seen: Seen | undefined = closeRoot ? { names: new Set(), items: new Set() } : undefined;
  const violations = new Evaluation(schema, { steps }).violations(args, seen);
  if (seen === undefined || violations.some(({ code }) => code === "TOO_MUCH_WORK")) return violations;
  const undeclared = args.members.filter(({ key }) => !seen.names.has(key)).slice(0, most);
  return [...violations, ...undeclared.map(({ key }): Violation => ({ code: "UNDECLARED", at: below(root, key) }))];
}

const most = 100;
