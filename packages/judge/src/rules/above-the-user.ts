import type { Effect } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import type { Match } from "../text/matches.ts";
import { claimsIn, type Wording } from "../text/wordings.ts";

/** What a model does is its user's to decide. A text that holds whatever the user says puts itself in the user's place. */
export const aboveTheUser: Rule = {
  id: "above-the-user",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Claims to hold whatever the user says, asks for or would have to approve",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
  *inspect({ phrases }) {
    yield* claimsIn(phrases, wordings);
  },
};

const person =
  "(?:the |an? |any |your |their |end[- ]|human ){0,4}(?:users?|humans?|persons?|people|customers?|operators?|callers?|requesters?|owners?)(?:'s)?";
const said =
  "(?:asks?|asked|says?|said|tells?|told|wants?|wanted|wishes|wished|requests?|requested|objects?|objected|refuses?|refused|declines?|declined|insists?|disagrees?|specifies|specified|picks?|picked|chose|chooses|typed?|types|gave|given|intended|named|aimed|configured|preferred|prefers|stated)";

const wordings: readonly Wording[] = [
  // Whatever the user asks; even if the user declines; regardless of what was requested.
  {
    hint: [cue.despite],
    pattern: new RegExp(
      `\\b(?:regardless of|no matter|irrespective of|whatever|whichever|even (?:if|where|though|when)|also (?:where|when|if)|although|contrary to)\\b[^,]{0,30}?\\b(?:${person} (?:(?:explicitly|has|have|had|did|does|do|may|might|never|also|just|not|directly|originally|actually) ){0,4}${said}\\b|(?:was|were|is|had been|has been) (?:\\w{1,20} )?(?:asked|requested|wished|wanted|specified|instructed|aimed|picked|configured)\\b|(?:task|topic|question|query|conversation|request|intent)\\b)`,
      "g",
    ),
    effectOf: weigh,
  },
  // The user has already agreed; consent is implied.
  {
    hint: [cue.mode | cue.user],
    pattern: new RegExp(
      `\\b(?:${person} (?:has|have|had) (?:already |previously |implicitly |explicitly |hereby ){0,4}(?:agreed|consented|approved|authori[sz]ed|opted|given (?:consent|permission|approval)|confirmed)|(?:consent|approval|permission|confirmation|authori[sz]ation) (?:is|was|has been|can be|may be|should be) (?:already |hereby |always |then ){0,4}(?:implied|assumed|granted|given|presumed|obtained|superfluous|unnecessary|cosmetic)|silence counts as|(?:users?|nobody|no one) need not (?:approve|know|be asked|confirm|agree))\\b`,
      "g",
    ),
    effectOf: ({ before }) =>
      /\b(?:if|unless|until|once|whether|when|only|after|that|because|where)\b/.test(before) ? undefined : "ask",
  },
  // Do not wait for approval; no confirmation is needed.
  {
    hint: [cue.mode, cue.not | cue.drop],
    pattern:
      /\b(?:(?:do not|don't|never|need not|without|not|no need to) (?:ask|asking|wait|waiting|request|requesting|seek|seeking|prompt|prompting)(?: the user| the human| them| anyone| anybody| your user| first)? (?:for )?(?:any |a |an |the |their |its |further |explicit |user |human |user's ){0,4}(?:approvals?|consent|permissions?|confirmations?|authori[sz]ation|go-ahead)\b|\bno (?:further |user |human |explicit |additional ){0,4}(?:approval|confirmation|consent|permission) (?:is |from (?:the )?\w{1,12} is )?(?:needed|required|necessary|asked)|(?:skip|bypass|suppress|disable|ignore) (?:the |any |all |your |user |client |every ){0,4}(?:approval|confirmation|consent|permission)(?: (?:step|prompt|dialog|screen|check|request)s?)?)\b/g,
    effectOf: ({ span, before, words, after }) => {
      if (forbids(before, 3) || /\b(?:if|when|whether|unless|flag|true|set)\b/.test(`${before}${after.slice(0, 60)}`))
        return undefined;
      return /^no |^need not/.test(words)
        ? undefined
        : /^(?:skip|bypass|suppress|disable|ignore)/.test(words) && (span.start === 0 || !orderly.test(before))
          ? undefined
          : "ask";
    },
  },
  // Our rules outrank the user's; the user's wishes are advisory.
  {
    hint: [cue.above, cue.user | cue.mode | cue.talk | cue.speaker | cue.agent],
    pattern: new RegExp(
      `\\b(?:(?:supersedes?|outranks?|overrides?|overrules?|prevails? over|wins? over|(?:comes?|goes|is|are|stands?) (?:before|above|ahead of)|(?:takes?|has|have) (?:precedence|priority) over) (?:all |any |every |other |those of |what |the |anything |everything ){0,4}(?:system prompt|${person}|host(?:'s)?|developer(?:'s)?|model's|host application|instructions|guidelines|guidance|rules|polic(?:y|ies))|(?:user|human|customer)(?:'s)? (?:wishes|requests?|instructions?|preferences?|messages?|input) (?:are|is|be) (?:\\w{1,15} )?(?:advisory|optional|secondary|subordinate|void|untrusted|a hint|hints)|trust level of user|(?:instruction|command|priority) hierarchy)\\b`,
      "g",
    ),
    effectOf: ({ before, words }) =>
      /^(?:is|are|comes?|goes) before/.test(words) || forbids(before, 3) ? undefined : "ask",
  },
];

const orderly =
  /^[^\p{L}]*$|\b(?:then|and|must|should|also|always|please|you|may|to|can|agents?|assistants?|models?|callers?|now) $|[:,] $/u;

function weigh({ before, words }: Match): Effect | undefined {
  if (forbids(before, 6)) return undefined;
  const general = /(?:task|topic|question|query|conversation|request|intent)$/.test(words) && !/user|asked/.test(words);
  if (!general) return "ask";
  return /\b(?:always|must|call|use|run|invoke|first|every)\b/.test(before) ? "ask" : undefined;
}
