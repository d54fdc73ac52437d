import type { Rule, Text } from "../rule.ts";
import { type Match, matchesIn } from "../text/matches.ts";

/** An argument is what a server is given. The conversation holds what the user said to everybody else. */
export const contextHarvest: Rule = {
  id: "context-harvest",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Asks to be given the conversation, or the instructions the model was given",
  taxa: ["OWASP-MCP10", "OWASP-MCP03", "AML.T0110", "AML.T0086"],
  *inspect({ phrases }) {
    for (const text of phrases) {
      const { at, part, reading } = text;
      for (const clause of reading.clauses) {
        if (!hint.test(clause.text)) continue;
        for (const match of matchesIn(clause, harvest)) {
          if (isArgument(text) || asks.test(around(match))) yield { at, part, span: match.span };
        }
        for (const match of matchesIn(clause, prompt)) {
          const theirs = /\b(?:your|hidden|internal|own)\b/.test(match.words) ? asks : reveals;
          if (theirs.test(around(match))) yield { at, part, span: match.span };
        }
      }
    }
  },
};

/** What describes a property of the input is a request for it. A pointer may be long: its ends tell. */
function isArgument({ at, part }: Text): boolean {
  if (part !== "leaf" || !at.startsWith(input)) return false;
  return /\/(?:description|title)$/.test(at.slice(input.length).slice(-"/description".length));
}

const input = "/inputSchema/";

function around({ before, words, after }: Match): string {
  return `${before}${words}${after}`;
}

const hint = /conversation|chat|dialog|transcript|history|messages|prompt|instructions|context/;

const harvest =
  /\b(?:full|entire|complete|whole|all|raw|verbatim|exact|everything in)\b(?: (?:of|the|your|this|our|prior|previous|past|recent|current|user's|user)){0,6} (?:(?:conversation|chat|dialogue|dialog|session)(?: (?:history|log|transcript|context|messages|so far))?|(?:message|conversation|chat) history|transcript of (?:the|this|our) (?:conversation|chat)|(?:messages|context|prompts) (?:in|from|of) (?:the|this|our) (?:conversation|chat|session)|(?:previous|prior|past) (?:conversation|messages|prompts|context)|context window)\b/g;

const prompt =
  /\b(?:(?:your|the|this|full|entire|complete|hidden|whole|any|all|original)(?: (?:full|entire|complete|hidden|own|current|exact|original|of|the|your)){0,6} (?:system|developer|initial) (?:prompts?|messages?|instructions?)|(?:hidden|internal) (?:system )?(?:prompts?|instructions?))\b/g;

const asks =
  /\b(?:pass|passing|include|including|provide|providing|send|sending|put|set|append|output|outputs|reveal|paste|copy|insert|print|repeat|return|supply|give|share|submit|attach|forward|leak|dump|disclose|write|fill|summari[sz]e|record|echo|show|display|must contain|should contain|add)\b/;

/** A tool that makes assistants is given their system prompt; it is not given "the" system prompt of this one. */
const reveals =
  /\b(?:reveal|output|repeat|print|leak|dump|disclose|echo|copy|include|including|pass|passing|append|return|paste|quote|recite)\b/;
