import type { Rule } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { matchesIn } from "../text/matches.ts";
import { spokenIn } from "../text/tongues.ts";

/** Which tool comes first is the operator's and the model's to choose. Honest vendors claim it too, so a person is asked. */
export const precedence: Rule = {
  id: "precedence",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Claims to come before or instead of other tools",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "SAFE-T1301"],
  *inspect({ phrases }) {
    for (const { at, part, reading } of phrases) {
      for (const { match } of spokenIn(reading, "first")) yield { at, part, span: match.span };
      for (const clause of reading.clauses) {
        if (
          (clause.cues & (cue.tool | cue.self)) === 0 ||
          (clause.cues & (cue.must | cue.rank | cue.call | cue.not)) === 0
        )
          continue;
        for (const { hint, pattern } of wordings) {
          if ((clause.cues & hint) === 0) continue;
          const [match] = matchesIn(clause, pattern);
          if (match === undefined) continue;
          yield { at, part, span: match.span };
          break;
        }
      }
    }
  },
};

const call = "(?:call|use|run|invoke|execute|consult|choose|select|pick|prefer)";
const called = "(?:called|used|run|invoked|executed|consulted|chosen|selected|preferred)";
const must =
  "(?:always|must|mandatory|required to|needs? to|have to|has to|shall|should always|at all times|first|be sure to|make sure to)";
const self = "(?:this|the present|me)(?: (?:tool|function|one|server|mcp))?";
const others =
  "(?:any|all|every|each|the|doing|performing|taking|using|calling|running|invoking|making|executing|responding|answering|proceeding)?(?: (?:any|all|every|each|the|of|your)){0,4}(?: ?(?:other|else|another|available|remaining|subsequent|native|built-in|existing|\\w{1,30}))? ?(?:tools?|functions?|tool calls?|actions?|operations?|servers?|requests?|steps?|thing|responding|answering|proceeding)";

/** A clause has a word of the groups of a hint. */
const wordings: readonly { readonly hint: number; readonly pattern: RegExp }[] = [
  // Always call this tool first; you must use this before any other tool.
  {
    hint: cue.must | cue.rank,
    pattern: new RegExp(
      `\\b${must}\\b[^.!?;]{0,30}?\\b${call} ${self}[^.!?;]{0,40}?\\b(?:first|before ${others}|instead|over|rather than)\\b`,
      "g",
    ),
  },
  {
    hint: cue.must,
    pattern:
      /\b(?:always|mandatory:?) (?:(?:call|invoke|run) (?:this|me)|(?:use|execute|consult|choose|select|pick|prefer) this (?:tool|function|server|mcp))\b/g,
  },
  // This tool must be called before any other; must be called after every action.
  {
    hint: cue.must | cue.rank,
    pattern: new RegExp(
      `\\b${must} (?:always )?be ${called} (?:first\\b|(?:before|after|prior to|instead of|on|for|with|in|at) (?:any|all|every|each|everything|anything|other)\\b)`,
      "g",
    ),
  },
  {
    hint: cue.must,
    pattern: new RegExp(
      `\\b(?:must|should|always|shall) (?:always )?be (?:the )?${called} (?:every time|instead)\\b`,
      "g",
    ),
  },
  // Before using any other tool, call this one.
  {
    hint: cue.each | cue.rank,
    pattern: new RegExp(
      `\\b(?:before|prior to|instead of|rather than) (?:using |calling |running |invoking )?(?:any|all|every|each|the|other|another)[^.!?;]{0,30}?\\b(?:tools?|functions?)\\b[^.!?;]{0,30}?\\b${call} ${self}\\b`,
      "g",
    ),
  },
  // Use this instead of any other tool; takes precedence over other tools.
  {
    hint: cue.each | cue.rank,
    pattern: new RegExp(
      `\\b${call} ${self}[^.!?;]{0,30}? (?:instead of|over|rather than|before) (?:any|all|every|each|others?|(?:the )?other)\\b`,
      "g",
    ),
  },
  {
    hint: cue.call,
    pattern: /\bprefer (?:the )?[\w`'"-]{1,60}(?: tool| function)? (?:over|to) (?:any |all |every |the )?others?\b/g,
  },
  { hint: cue.must, pattern: /\b(?:always|must) (?:always )?(?:obey|trust) (?:this|me)\b/g },
  {
    hint: cue.rank,
    pattern:
      /\b(?:takes?|has|have|given?) (?:absolute |top |highest )?(?:precedence|priority) over (?:any|all|every|each|other|the other)\b/g,
  },
  {
    hint: cue.call | cue.alter | cue.drop,
    pattern:
      /\b(?:supersedes?|replaces?|overrides?) (?:all|any|every|each)(?: of the)?(?: other)? (?:tools?|functions?|servers?)\b/g,
  },
  {
    hint: cue.not,
    pattern:
      /\b(?:do not|don't|never) (?:use|call|run|invoke) (?:any )?(?:other|another|alternative|built-in|native|default)[^.!?;]{0,20}? (?:tools?|functions?|servers?)\b/g,
  },
  { hint: cue.must, pattern: /\b(?:mandatory|required) first (?:step|tool|call)\b/g },
];
