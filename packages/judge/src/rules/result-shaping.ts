import type { Effect } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { actorDoing } from "../text/actor.ts";
import { cue } from "../text/cues.ts";
import { forbids, forbidsSentence } from "../text/forbids.ts";
import type { Match } from "../text/matches.ts";
import { claimsIn, type Wording } from "../text/wordings.ts";

/** How to show a result is help. What to claim of it, whatever it is, is a lie that the user is told in the model's voice. */
export const resultShaping: Rule = {
  id: "result-shaping",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Tells the model to present results as other than they are, or to advertise in its answers",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
  *inspect({ phrases }) {
    yield* claimsIn(phrases, wordings);
  },
};

const say =
  "(?:say|says|claim|claims|report|reports|state|states|announce|announces|assert|confirm|confirms|assure|tell (?:the |your )?(?:users?|customer|person|them|people)|tells the user|inform the user|respond|reply|answer|answers|conclude|pretend|show|mark|describe)";
const good =
  "(?:(?:is|are|was|were|has|have|had|it|the \\w{1,20}|that|as|be|been|with|a|an|all|everything|it's|they're) ){0,5}(?:success(?:ful|fully)?|succeeded|completed|passed|safe|secure|verified|fine|clean|green|correct|no (?:issues?|errors?|problems?|vulnerabilit(?:y|ies)|threats?|findings?)|worked|done|available|up to date)";
const whatever =
  "(?:regardless|no matter|irrespective|whatever|whether or not|even (?:if|when|where|though)|in (?:either|any|all|every) cases?|although|also (?:if|when)|always|if (?:it|the \\w{1,20}|they) (?:fails?|failed|errors?|(?:is|are) (?:red|not)))";

const wordings: readonly Wording[] = [
  // Whatever happens, report success.
  {
    hint: [cue.tell | cue.success, cue.success, cue.despite | cue.each | cue.must],
    pattern: new RegExp(
      `(?:\\b${whatever}\\b.{0,70}?\\b${say} (?:that )?${good}\\b|\\b${say} (?:that )?${good}\\b.{0,50}?\\b${whatever}\\b)`,
      "g",
    ),
    effectOf: ({ before, words, after }) => {
      if (forbidsSentence(before, 4) || /\b(?:until|only|unless|after|once)\b/.test(words + conditionIn(after)))
        return undefined;
      const all = `${words}${after}`;
      return /\b(?:regardless|no matter|irrespective|whatever|even (?:if|when)|in (?:either|any) case)\b/.test(all) &&
        /fail|error|result|outcome|find|happen|either|any case|actual/.test(all)
        ? "refuse"
        : "ask";
    },
  },
  // You must then state 'IMPORTANT: ...'; present its price as 'a key figure'.
  {
    hint: [cue.tell | cue.act, cue.named, cue.must | cue.each],
    pattern:
      /\b(?:state|say|announce|declare|(?:report|say|announce) (?:back )?to the users?|(?:tell|inform|notify|warn|alert) (?:the )?users?|present (?:\w{1,20} ){1,4}(?:to the users? )?as|(?:show|display) (?:the users? )?(?:the|this) (?:message|text|notice|warning))(?: that| to the users?)?:? (?:["']([^"']{12,})|\u201c([^\u201d]{12,}))/g,
    effectOf: ({ before, groups }) => {
      const said = groups[0] ?? groups[1] ?? "";
      if (forbids(before, 4) || said.split(" ").length < 3 || isConditional(before)) return undefined;
      return isOrdered.test(before) ? "ask" : undefined;
    },
  },
  // You must halt and inform the user that the data is unavailable.
  {
    hint: [cue.tell, cue.user, cue.must],
    pattern:
      /\b(?:halt|stop|abort|suspend|cancel|refuse|decline|pause)\b.{0,50}?\b(?:and|then) (?:inform|tell|notify|warn|alert) (?:the )?users? (?:that|about|of)\b/g,
    effectOf: ({ before }) =>
      forbids(before, 4) || isConditional(before) || !isOrdered.test(before) ? undefined : "ask",
  },
  // Include this link in every answer; recommend our product.
  {
    hint: [cue.place],
    needs: ["response", "answer", "repl", "summar", "message", "conversation", "output", "report", "user", "sponsored"],
    pattern:
      /\b(?:(?:include|add|insert|append|put|place|embed|mention|promote|recommend|advertise|endorse|praise|weave in|work in|close with|end with|link to)\b.{0,80}?\b(?:link|url|https?:|ads?|advert(?:isement)?s?|promo(?:tion|code)?s?|sponsor(?:s|ed)?|referral|affiliate|coupon|partners?|banner|slogan|product|premium|upgrade|subscription|brand|merits)\b.{0,60}?\b(?:in|to|at the end of|with|within|of|into|for) (?:your|the|every|each|all|any)(?: of)?(?: your| the| final| next| such){0,4} (?:responses?|answers?|repl(?:y|ies)|summar(?:y|ies)|messages?|conversations?|outputs?|reports?|users?)|sponsored (?:results|listings|items|products?) (?:first|at the top|above))\b/g,
    effectOf: (match) => weighAdvert(match),
  },
  {
    hint: [cue.place, cue.each | cue.rank | cue.must | cue.success],
    pattern:
      /\b(?:in|with|at the end of|to|end|close|finish) (?:your|every|each|all|any|its|the)(?: of)?(?: your| the| final){0,4} (?:responses?|answers?|repl(?:y|ies)|summar(?:y|ies)|messages?|conversations?)\b.{0,40}?\b(?:include|add|insert|append|mention|promote|recommend|advertise|with|link|praise)\b.{0,60}?\b(?:link|https?:|ads?|advert(?:isement)?s?|promo(?:tion|code)?s?|sponsor(?:s|ed)?|referral|affiliate|coupon|partners?|slogan|premium|upgrade|powered by|code)\b/g,
    effectOf: (match) => weighAdvert(match),
  },
  // The model rounds ratings up; you present losses as ...
  {
    hint: [cue.agent],
    pattern: actorDoing([
      ...[
        "say",
        "tell",
        "claim",
        "report",
        "state",
        "describe",
        "present",
        "recommend",
        "promote",
        "advise",
        "advise against",
        "praise",
      ],
      ...[
        "weave",
        "soften",
        "downplay",
        "exaggerate",
        "urge",
        "warn",
        "quote",
        "leave out",
        "discourage",
        "paraphrase",
        "label",
        "show",
        "list",
      ],
    ]),
    effectOf: ({ before, after }) => (forbids(before, 4) || isPlain.test(after) ? undefined : "ask"),
  },
  // Never mention errors; leave negative reviews out.
  {
    hint: [cue.not | cue.hush | cue.act, cue.ill],
    pattern:
      /\b(?:(?:do not|don't|never|avoid) (?:ever )?(?:mention|mentioning|report|reporting|reveal|revealing|disclose|disclosing|tell (?:the )?users? (?:about|of)|warn (?:the )?users? (?:about|of)|point out) (?:any |the |of |about |its |our ){0,4}(?:errors?|failures?|problems?|risks?|warnings?|negative \w{1,20}|vulnerabilit(?:y|ies)|side effects?|fees?|charges?|costs?|downsides?|limitations?|discrepanc(?:y|ies)|delays?|detours?)|(?:omit|leave out|drop|hide|suppress|downplay|play down|gloss over|conceal) (?:any |all |the |our |its |of ){0,4}(?:errors?|failures?|warnings?|footnotes?|negative \w{1,20}|bad \w{1,20}|complaints?|losses|risks?|side effects?|fees?|charges?|critical \w{1,20}|competitors?(?:'s?)?|vulnerabilit(?:y|ies)|problems?|downsides?) (?:from|when|in|to|so|and|out|if|before|that)\b)/g,
    effectOf: (match) =>
      forbids(match.before, 3) || /\b(?:option|flag|whether|true|set|to)\b/.test(match.before.slice(-30))
        ? undefined
        : "ask",
  },
  // Readings over 150 are presented as "moderate"; pretend that ...
  {
    hint: [cue.tell | cue.success | cue.alter | cue.agent],
    needs: [
      ...[
        "presented",
        "described",
        "reported",
        "paraphrased",
        "shown",
        "called",
        "label",
        "rated",
        "given",
        "referred to",
      ],
      ...["quoted", "speak of", "pretend", "act as", "make the", "refer to", "present "],
    ],
    pattern:
      /\b(?:(?:is|are|be|gets?|get|become|becomes) (?:\w{1,15} )?(?:presented|described|reported|paraphrased|shown|called|labell?ed|rated|given|referred to|quoted) (?:as|without|by|to)|speak of|speak of it as|pretend (?:that|to|it|you|the)|act as (?:if|though)|make the (?:summary|answer|report|reply|user) (?:say|state|believe|think)|refer to (?:them|it|these|those) as|present (?:it|them|this|the results?|the answer) as (?:your|if|though|the full|complete|verified|an? (?:fact|independent)))\b/g,
    effectOf: ({ before, words, after }) => {
      if (forbids(before, 4) || /\b(?:to|not) $/.test(before)) return undefined;
      const firm =
        /^(?:pretend|act as|make the|speak of)/.test(words) ||
        /present .{0,100} (?:your|verified|independent|fact)/.test(words);
      return firm ||
        /\b(?:whatever|regardless|irrespective|no matter|although|even (?:if|though)|even where|because guests|to prevent|so that nobody)\b/.test(
          `${words}${after.slice(0, 90)}`,
        )
        ? "ask"
        : undefined;
    },
  },
];

/** Whether only a failure, or what somebody asks for, has the model say it; in the same part of the sentence or the one before. */
function isConditional(before: string): boolean {
  return conditions.test(before.split(/[,;]/).slice(-2).join(","));
}

const conditions = /\b(?:if|unless|when|whenever|in case|once|where|should (?:it|the|this|no|any))\b/;
const isOrdered = /\b(?:must|mandatory|required|always|need to|have to|shall|then call|be sure to|critical)\b/;

/** What follows in the same breath. */
function conditionIn(after: string): string {
  return /^[^.:;,]{0,40}/.exec(after)?.[0] ?? "";
}

function weighAdvert({ before, words }: Match): Effect | undefined {
  if (forbids(before, 4)) return undefined;
  const sells =
    /\b(?:advert|promo|sponsor|(?:ads?|referral|affiliate|coupon|slogan|premium|upgrade|subscription|merits|recommend|endorse|praise|weave|powered by)\b)/.test(
      words,
    );
  const always = /\b(?:every|each|all|any|always|must)\b/.test(`${before}${words}`);
  return sells || (always && /https?:/.test(words)) ? "ask" : undefined;
}

/** What honest definitions ask for. */
const isPlain =
  /^ (?:(?:the|a|an|this|these|all|any|its) ){0,4}(?:results?|lists?|user (?:the |a |to |what|which|how|if|before)|options?|users? to|error|tool|values?)\b/;
