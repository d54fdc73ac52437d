import { below, type Json, type Pointer } from "@countersign/core";
import { ambiguityOf, type Work } from "../pattern/ambiguity-of.ts";
import { readPattern } from "../pattern/read-pattern.ts";
import type { Claim, Rule } from "../rule.ts";

/** Hosts, servers and model providers run the pattern too, most of them in an engine that backtracks. */
export const runawayPattern: Rule = {
  id: "runaway-pattern",
  gate: "schema",
  effect: "ask",
  confidence: "high",
  summary: "Has a pattern that an engine can run away on, or that cannot be matched in linear time",
  taxa: ["OWASP-MCP03", "SAFE-T1501"],
  *inspect({ schemas }) {
    const work: Work = { left: mostWork };
    const known = new Map<string, string | undefined>();
    for (const document of schemas) {
      for (const { json, at } of document.schemas) {
        if (json.is !== "object") continue;
        for (const { where, part, written } of patternsOf(json, at)) {
          if (!known.has(written)) known.set(written, troubleOf(written, work));
          const because = known.get(written);
          if (because === undefined) continue;
          yield {
            ...{ at: where, part, data: { because } },
            ...(written === "" ? {} : { span: { start: 0, end: written.length } }),
          };
        }
      }
    }
  },
};

/** Steps for all patterns of a definition. */
const mostWork = 1_000_000;

/**
 * Steps for one pattern: a short one can be made to take as many as there are, and a list holds ten thousand short ones.
 * The most that one of the captured patterns takes is 91, for 81 characters.
 */
const leastOfOne = 500;
const eachUnit = 20;

interface Written {
  readonly where: Pointer;
  readonly part: Claim["part"];
  readonly written: string;
}

function* patternsOf(schema: Extract<Json, { is: "object" }>, at: Pointer): Iterable<Written> {
  for (const { key, value } of schema.members) {
    if (key === "pattern" && value.is === "string") {
      yield { where: below(at, key), part: "leaf", written: value.value };
    }
    if (key !== "patternProperties" || value.is !== "object") continue;
    for (const member of value.members) {
      yield { where: below(below(at, key), member.key), part: "key", written: member.key };
    }
  }
}

function troubleOf(written: string, work: Work): string | undefined {
  const reading = readPattern(written);
  if (reading.is === "refused") return reading.because;
  const own = { left: Math.min(work.left, leastOfOne + eachUnit * written.length) };
  const all = own.left;
  const ambiguities = reading.parts.map(({ pattern }) => ambiguityOf(pattern, own));
  work.left -= all - own.left;
  return ambiguities.find((ambiguity) => ambiguity !== "none");
}
