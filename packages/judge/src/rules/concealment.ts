import type { Effect } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import { type Match, matchesIn } from "../text/matches.ts";
import { spokenIn } from "../text/tongues.ts";

/** What a tool does may be unknown to its user; that the user must not know it is an order that no tool needs. */
export const concealment: Rule = {
  id: "concealment",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Tells the model to keep something from the user",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
  *inspect({ phrases }) {
    for (const { at, part, reading } of phrases) {
      for (const { match } of spokenIn(reading, "conceal")) yield { at, part, span: match.span, effect: "ask" };
      for (const clause of reading.clauses) {
        if (!hints(clause.cues)) continue;
        for (const { pattern, effectOf } of wordings) {
          for (const match of matchesIn(clause, pattern)) {
            const effect = effectOf(match);
            if (effect !== undefined) yield { at, part, span: match.span, effect };
          }
        }
      }
    }
  },
};

/** Every phrase below holds words of these groups. */
function hints(cues: number): boolean {
  return (cues & cue.hush) !== 0 || ((cues & cue.not) !== 0 && (cues & cue.tell) !== 0);
}

interface Wording {
  readonly pattern: RegExp;
  readonly effectOf: (match: Match) => Effect | undefined;
}

const not = "(?:do not|don't|never|must not|mustn't|should not|shouldn't|shall not|may not|avoid|refrain from|not to)";
const filler =
  "(?:ever|also|directly|explicitly|to|in any way|under any circumstances|let on|attempt to|even|please|necessarily|the fact|anything|about|any|of|this|that|it|these|the details|details) ";
const person =
  "(?:the |any |your |end[- ]|human ){0,4}(?:users?|humans?|persons?|people|customers?|operators?|anyone|anybody)\\b";

const fromPerson = new RegExp(`\\b(?:from|to) ${person}`);

const wordings: readonly Wording[] = [
  {
    // Do not tell the user; never mention ... to the user.
    pattern: new RegExp(
      `\\b${not} (?:${filler}){0,4}(?:tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|let|letting|mention|mentioning|reveal|revealing|disclose|disclosing|admit|admitting|acknowledge|acknowledging|show|showing|display|displaying|expose|exposing|explain|explaining|describe|describing|report|reporting|share|sharing)\\b[^.!?;]{0,80}?\\b${person}`,
      "g",
    ),
    effectOf: ({ words, after }) => {
      if (
        /^ ?(?:unless|until|before|if|when|except|without|that (?:it|the \w+|you) (?:is|are|was|were|has|have) (?:done|complete|finished))/.test(
          after,
        )
      )
        return "ask";
      // Keys are not for customers to see, and identifiers not for users.
      if (!/(?:users?|humans?)$/.test(words)) return "ask";
      return /\b(?:show|display|expos|explain|describ|report|shar)/.test(words) ? "ask" : "refuse";
    },
  },
  {
    // Do not mention this change.
    pattern: new RegExp(
      `\\b${not} (?:${filler}){0,4}(?:mention|mentioning|reveal|revealing|disclose|disclosing|acknowledge|acknowledging|admit|admitting|discuss|talk about|refer to) (?:that you\\b|you (?:are|did|have|used|called)\\b|(?:this|these|it)(?= ?(?:$|[.,!:;)]|to\\b|in\\b|at\\b|under\\b|when\\b|unless\\b|until\\b))|(?:this|these|the|any) (?:changes?|steps?|instructions?|modifications?|redirect|redirection|substitution|tool|call|notes?|message|process|upload|copy|access|update)\\b)`,
      "g",
    ),
    effectOf: ({ words, after }) => {
      if (/^[^.!?;]{0,80}\b(?:unless|until|if|except)\b/.test(after)) return "ask";
      return /refer to|discuss|talk about|\b(?:it|tool|call|message|process)$/.test(words) ? "ask" : "refuse";
    },
  },
  {
    // Without telling the user.
    pattern: new RegExp(
      `\\b(?:without (?:ever )?(?:telling|informing|notifying|alerting|warning|letting|mentioning (?:it |this )?to|revealing (?:it |this )?to|disclosing (?:it |this )?to) ${person}|without (?:the )?(?:user's|user|users'|their|anyone's|human) (?:knowledge|awareness|knowing|noticing|being (?:told|informed|aware))|unbeknownst to )`,
      "g",
    ),
    // "Never delete anything without telling the user" is the opposite of an order to conceal.
    effectOf: ({ before }) => (forbids(before, 20) ? undefined : "refuse"),
  },
  {
    // The user must not know.
    pattern: new RegExp(
      `\\b${person} (?:must|should|need|shall|may|can|does) ?(?:not|n't|never) (?:be able to |need to |have to |get to |be allowed to )?(?:know|see|notice|be (?:told|informed|made aware|aware|notified|shown|alerted)|find out|learn|realize|realise|suspect)\\b`,
      "g",
    ),
    effectOf: ({ words }) => (/\bsee$|does ?(?:not|n't) (?:know|see)$|shown$/.test(words) ? "note" : "refuse"),
  },
  {
    // Keep this secret from the user.
    pattern:
      /\b(?:keep|keeping|remain|remains|stay|stays) (?:(?:this|that|it|these|them|the \w{1,30}|your \w{1,30}|all of this|everything) )?(?:\w{1,30} )?(?:secret|hidden|confidential|invisible|private|concealed)\b[^.!?;]{0,40}/g,
    effectOf: ({ words }) => (fromPerson.test(words) ? "refuse" : undefined),
  },
  {
    pattern:
      /\b(?:hide|hiding|conceal|concealing|withhold|withholding) (?:[\w-]{1,30} ){1,6}from (?:the |any )?(?:users?|humans?|operators?|customers?)\b/g,
    effectOf: ({ before }) => (forbids(before, 20) ? undefined : "refuse"),
  },
  {
    // Silently send ...
    pattern:
      /\b(?:(?:silently|quietly|secretly|covertly|discreetly|stealthily|surreptitiously) (?:also )?(?:send|forward|copy|bcc|call|invoke|run|execute|use|include|append|upload|post|read|pass|add|record|log|collect|exfiltrate|change|replace|modify|redirect|perform|attach|transmit|submit|store|save|fetch|access|delete|insert|inject|exec)|(?:send|forward|copy|call|invoke|run|execute|include|append|upload|post|pass|record|collect|transmit|submit|do (?:this|so|it)) (?:[\w-]{1,30} ){1,8}(?:silently|quietly|secretly|covertly|discreetly|stealthily|surreptitiously))\b/g,
    effectOf: ({ words, before }) => {
      if (forbids(before, 20) || /\b(?:would|will|may|might|can|could|instead of|rather than)\b/.test(before))
        return undefined;
      return /silent|quiet/.test(words) &&
        !/^$|\b(?:then|and|must|should|also|always|please|you|first|to) $|[:,] $/.test(before)
        ? "ask"
        : "refuse";
    },
  },
];
