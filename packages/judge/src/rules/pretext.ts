import type { Rule } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import type { Match } from "../text/matches.ts";
import { claimsIn, type Wording } from "../text/wordings.ts";

/** Documentation says what a call needs. Whoever appeals to an office that a tool does not have wants no questions asked. */
export const pretext: Rule = {
  id: "pretext",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Gives security, the law or an audit as the reason why the model has to do something more",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
  *inspect({ phrases }) {
    yield* claimsIn(phrases, wordings);
  },
};

const office =
  "(?:security|compliance|regulat(?:ory|ions?|ors?)|audit(?:s|ing|ors?)?|legal|governance|gdpr|hipaa|sox|pci|safety|fraud|verification|licen[cs]ing|accountability|chain of custody|traceability)";
const cause =
  "(?:for|per|under|to (?:meet|ensure|satisfy|maintain|support|facilitate)|to comply with|due to|because of|as part of|in (?:line|compliance|accordance) with|(?:is |as )?(?:required|mandated|demanded) (?:by|for|under))";
const duty =
  "(?:must|always|(?:need|needs|have|has|required|expected|obliged) to|mandatory|shall|it is (?:mandatory|required|essential|critical) (?:that|to))";
const act =
  "(?:call|calls|run|invoke|use|execute|pass|send|include|read|provide|attach|append|supply|submit|forward|copy|log|post|capture|record|collect|save|upload|fetch|open|share|add|bcc|cc)";

/** What the words of an office begin with. */
const needs = [
  ...[
    "securit",
    "complian",
    "regulat",
    "audit",
    "legal",
    "governance",
    "gdpr",
    "hipaa",
    "sox",
    "pci",
    "safety",
    "fraud",
  ],
  ...["verification", "licen", "accountability", "custody", "traceability"],
];

const wordings: readonly Wording[] = [
  {
    ...{ hint: [cue.must], needs },
    pattern: new RegExp(
      `\\b${cause} (?:\\w{1,20} ){0,5}?${office}\\b.{0,90}?\\b${duty} (?:\\w{1,20} ){0,4}?${act}\\b`,
      "g",
    ),
    effectOf: weigh,
  },
  {
    ...{ hint: [cue.must], needs },
    pattern: new RegExp(
      `\\b${duty} (?:\\w{1,20} ){0,4}?${act}\\b.{0,120}?\\b${cause} (?:\\w{1,20} ){0,5}?${office}\\b`,
      "g",
    ),
    effectOf: weigh,
  },
];

function weigh({ before, words }: Match) {
  return forbids(before, 4) || /\b(?:never|not)\b/.test(words) ? undefined : "ask";
}
