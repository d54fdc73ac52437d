import type { Rule, Text } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import { type Match, matchesIn } from "../text/matches.ts";
import { spokenIn } from "../text/tongues.ts";

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
      for (const { match, mentioned } of spokenIn(reading, "harvest")) {
        if (!mentioned) yield { at, part, span: match.span };
      }
      for (const clause of reading.clauses) {
        if ((clause.cues & (cue.talk | cue.yours)) === 0) continue;
        let known = false;
        for (const match of matchesIn(clause, harvest)) {
          if (!isArgument(text) && !asks.test(around(match))) continue;
          known = true;
          yield { at, part, span: match.span };
        }
        for (const match of known ? [] : matchesIn(clause, heard)) {
          if (wanted(match)) yield { at, part, span: match.span };
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

const harvest =
  /\b(?:full|entire|complete|whole|all|raw|verbatim|exact|everything in)\b(?: (?:of|the|your|this|our|prior|previous|past|recent|current|user's|user)){0,6} (?:(?:conversation|chat|dialogue|dialog|session)(?: (?:history|log|transcript|context|messages|so far))?|(?:message|conversation|chat) history|transcript of (?:the|this|our) (?:conversation|chat)|(?:messages|context|prompts) (?:in|from|of) (?:the|this|our) (?:conversation|chat|session)|(?:previous|prior|past) (?:conversation|messages|prompts|context)|context window)\b/g;

/** Turns before this one, the model's own thoughts and instructions, what other tools answered. */
const heard =
  /\b(?:(?:the |all |any |your |its |their |these )?(?:previous|prior|earlier|preceding|past) (?:turns|messages|prompts|exchanges?|user messages)|(?:everything|anything|all|whatever) (?:that )?(?:the user|your user|the human|they|you|was|the agent|the model)(?: has| have| had)? (?:told you|told|said|say|been told|shared|seen|read|know|wrote|uploaded|above)|(?:everything|all (?:the )?text) above|your (?:(?:full|complete|entire|whole|own|internal|unabridged|private) (?:reasoning|thoughts|thinking)|chain of thought|scratchpad|inner monologue|system prompt|initial prompt|hidden prompt|developer prompt|developer's prompt|instructions)|(?:every|all|any|the|which|list of)(?: \w{1,15}){0,4} (?:tools?|servers?) (?:that )?(?:you (?:have|can|are|know)|available to you|connected)|(?:tool|server) (?:list|inventory)|tools\/list|(?:first|last|latest|original) (?:user |assistant |system )?message (?:the model|you|the agent|in full)|(?:outputs?|results?|answers?|responses?) (?:of|from|obtained from|returned by) (?:the |all |any |your )?(?:other|previous|earlier|preceding) (?:tools?|calls|servers?)|(?:user's|their) (?:private |personal )?(?:mood|plans|worries|chat|conversation|messages))\b/g;

/** To be handed over, and not to be counted, searched or kept out. */
function wanted(match: Match): boolean {
  const { before, words, after } = match;
  if (
    forbids(before, 5) ||
    /\b(?:number|count|maximum|max|how many|list|lists|search|searches|returns?|gets?|fetch|reads?|whether|clear|clears|delete) (?:of )?(?:the )?$/.test(
      before,
    )
  )
    return false;
  return gives.test(`${before}${words}${after}`);
}

const gives =
  /\b(?:pass|passed|passing|include|included|including|provide|provided|send|sent|put|supply|supplied|share|shared|submit|attach|attached|forward|paste|copy|append|hand|handed|state|disclose|serialised|serialized|enclose|reveal|let us have|belongs?|goes|go in|goes in|fill|filled|fills|with each call|with every call|alongside|verbatim|word for word|in full|has to be|should (?:hold|list|contain|be)|must (?:hold|list|contain|be)|collects|contains|holds|quote|give|write)\b/;

const prompt =
  /\b(?:(?:your|the|this|full|entire|complete|hidden|whole|any|all|original)(?: (?:full|entire|complete|hidden|own|current|exact|original|of|the|your)){0,6} (?:system|developer|initial) (?:prompts?|messages?|instructions?)|(?:hidden|internal) (?:system )?(?:prompts?|instructions?))\b/g;

const asks =
  /\b(?:pass|passing|include|including|provide|providing|send|sending|put|set|append|output|outputs|reveal|paste|copy|insert|print|repeat|return|supply|give|share|submit|attach|forward|leak|dump|disclose|write|fill|summari[sz]e|record|echo|show|display|must contain|should contain|add)\b/;

/** A tool that makes assistants is given their system prompt; it is not given "the" system prompt of this one. */
const reveals =
  /\b(?:reveal|output|repeat|print|leak|dump|disclose|echo|copy|include|including|pass|passing|append|return|paste|quote|recite)\b/;
