import { asServerName, digestOf, type Finding, type RawDefinition, readJson, type Snapshot } from "@countersign/core";
import { defaultPolicy, rule } from "@countersign/judge";
import type { Tool } from "./corpus.ts";

/** What the description gate says about one tool at first sight. */
export interface Judged {
  readonly findings: readonly Finding[];
  readonly effect: "refuse" | "ask" | "none";
}

/**
 * Judges tools as one offer of one server. A tool that the gate's readers would not take is judged all the same: what is
 * measured here is what the description gate sees.
 */
export function judgeTools(tools: readonly Tool[]): readonly Judged[] {
  const rulings = rule({ server, definitions: tools.map(definitionOf), malformed: [] }, nothing, defaultPolicy);
  return rulings.map(({ reasons }) => {
    const findings: Finding[] = [];
    for (const reason of reasons) {
      if (reason.code === "GATE_FAILED") throw new Error(`a gate failed: ${reason.error}`);
      if (reason.code === "FINDING" && reason.gate === "description") findings.push(reason.finding);
    }
    const effects = new Set(findings.map(({ effect }) => effect));
    return { findings, effect: effects.has("refuse") ? "refuse" : effects.has("ask") ? "ask" : "none" };
  });
}

const server = asServerName("measured") ?? fail("no server name");

const nothing: Snapshot = {
  ...{ seq: 0, now: 0, bindings: new Map(), withdrawn: new Map() },
  ...{ texts: new Map(), neighbours: [], identified: [], launch: undefined },
};

export function definitionOf(tool: Tool): RawDefinition {
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
