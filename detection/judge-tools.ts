import {
  addressKey,
  asSent,
  asServerName,
  digestOf,
  emptySnapshot,
  type Finding,
  type RawDefinition,
  readJson,
  type Snapshot,
} from "@countersign/core";
import { defaultPolicy, policyDigest, rule } from "@countersign/judge";
import type { Tool } from "./corpus.ts";

/** What the description gate says about one tool at first sight. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly effect: "refuse" | "ask" | "none";
}

/**
 * Judges tools as one offer of one server. A tool that the gate's readers would not take is judged all the same: what is
 * measured here is what the description gate sees.
 *
 * @param approved what somebody approved of these tools; of a changed one only the findings count that the change brings in
 */
export function judgeTools(tools: readonly Tool[], approved: readonly Tool[] = []): readonly Judged[] {
  const rulings = rule(offerOf(tools), snapshotOf(approved), defaultPolicy);
  return rulings.map(({ reasons }) => {
    const changed = reasons.some(({ code }) => code === "DESCRIPTION_MUTATION");
    const findings: Finding[] = [];
    for (const reason of reasons) {
      if (reason.code === "GATE_FAILED") throw new Error(`a gate failed: ${reason.error}`);
      if (reason.code !== "FINDING" || reason.gate !== "description") continue;
      if (reason.added || !changed) findings.push(reason.finding);
    }
    return judgedBy(findings);
  });
}

export function judgedBy(findings: readonly Finding[]): Judged {
  const effects = new Set(findings.map(({ effect }) => effect));
  return { findings, effect: effects.has("refuse") ? "refuse" : effects.has("ask") ? "ask" : "none" };
}

const server = asServerName("measured") ?? fail("no server name");

/** What the gates know after somebody has approved these tools. */
export function snapshotOf(approved: readonly Tool[]): Snapshot {
  const definitions = offerOf(approved).definitions;
  const bindings = definitions.map(({ address, received }) => ({
    ...{ address, received, contract: received, rendered: received, plan: asSent, acknowledged: [] },
    ...{ by: "eval", seq: 1, ruleset: received, policy: policyDigest(defaultPolicy) },
  }));
  return {
    ...emptySnapshot,
    seq: 1,
    bindings: new Map(bindings.map((binding) => [addressKey(binding.address), binding])),
    texts: new Map(definitions.map(({ received, text }) => [received, text])),
  };
}

export function offerOf(tools: readonly Tool[]) {
  return { server, definitions: tools.map(definitionOf), malformed: [] };
}

function definitionOf(tool: Tool): RawDefinition {
  const text = JSON.stringify(tool);
  const reading = readJson(text);
  if (reading.is === "refused") fail(`a row cannot be read: ${reading.refusal.code}`);
  return {
    ...{ address: { server, kind: "tool", name: tool.name }, text, json: reading.json },
    received: digestOf("tool", reading.json),
  };
}

function fail(what: string): never {
  throw new Error(`Cannot judge: ${what}`);
}
