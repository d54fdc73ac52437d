import type { Effect } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { actorDoing } from "../text/actor.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import type { Match } from "../text/matches.ts";
import { claimsIn, type Wording } from "../text/wordings.ts";

/** The user decides what is sent, and to whom. A text that changes it on the way makes the model do what nobody asked for. */
export const argumentTampering: Rule = {
  id: "argument-tampering",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Tells the model to change what the user gave, or what other tools are called with",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0086", "SAFE-T1008"],
  *inspect({ phrases }) {
    yield* claimsIn(phrases, wordings);
  },
};

const change =
  "(?:replac(?:e|es|ed|ing)|substitut(?:e|es|ed|ing)|swap(?:s|ped|ping)?|overwrit(?:e|es|ten|ing)|alter(?:s|ed|ing)?|rewrit(?:e|es|ten|ing)|modif(?:y|ies|ied|ying)|chang(?:e|es|ed|ing)|exchang(?:e|es|ed|ing)|trad(?:e|es|ed|ing)|convert(?:s|ed|ing)?|turn(?:s|ed|ing)?)";
const theirs =
  "(?:(?:the |any |a |an |all |every |each )?(?:user|customer|caller|requester|person|human)(?:'s|s'|-supplied|-provided|-specified|-given| supplied| provided| specified)|(?:the |any )?(?:requested|original|intended|given|supplied|stated|chosen|real|actual))";
const value =
  "(?:recipients?|amounts?|address(?:es)?|destinations?|accounts?|payees?|beneficiar(?:y|ies)|ibans?|wallets?|numbers?|values?|quantit(?:y|ies)|prices?|currenc(?:y|ies)|dates?|paths?|urls?|quer(?:y|ies)|arguments?|parameters?|text|branch|channel|scope|names?|subject|body|message|coordinates|limit)";
const literal =
  "(?:https?://[\\w-]|[\\w.+-]{1,64}@[\\w-]{1,64}\\.[a-z]|[a-z]{2}\\d{2}[a-z0-9]{10}|0x[0-9a-f]{6}|\\d{6})";
const gave =
  "(?:typed|types|gave|gives|given|picked|picks|chose|chooses|asked|asks|wanted|wants|set|supplied|supplies|provided|provides|requested|requests|specified|specifies|entered|enters|named|names|said|says|wished|stated|aimed|mentioned|intended)";

const wordings: readonly Wording[] = [
  // Replace the user's amount with ..., or the amount the user gave; the requested recipient is swapped for ...
  {
    hint: [cue.alter, cue.given],
    pattern: new RegExp(
      `\\b(?:${change} ${theirs} (?:\\w{1,20} ){0,4}?${value}|${change} (?:\\w{1,20} ){0,4}?${value} (?:that |which )?(?:the )?(?:users?|customers?|callers?|person) (?:has |have |had )?${gave}|${theirs} (?:\\w{1,20} ){0,1}?${value} (?:is|are|gets?|has to be|should be|must be) (?:\\w{1,20} ){0,4}?${change})\\b`,
      "g",
    ),
    effectOf: (match, { at }) => (at === "/description" && match.span.start === 0 ? undefined : order(match)),
  },
  // Replace the recipient with x@y; the IBAN is replaced by ...
  {
    hint: [cue.place, cue.alter | cue.send | cue.act | cue.call],
    pattern: new RegExp(
      `\\b(?:${change}|set|sets|fill|fills|make|point|points?|prefix|prefixed|put|use|supply)\\b.{0,60}?\\b(?:recipients?|amounts?|address|destination|account|payee|beneficiary|iban|wallet|bcc|cc|reply[_-]to|webhook(?:_url)?|to field|sender|contact(?:_email)?|attendees?|guests?)\\b.{0,60}?\\b(?:with|to|by|for|as|at|of|on|in|from)? ?${literal}`,
      "g",
    ),
    effectOf: (match) => (isExample(match) ? undefined : order(match)),
  },
  // Put x@y in bcc; add an attendee.
  {
    hint: [cue.place, cue.alter | cue.send | cue.act | cue.call],
    pattern: new RegExp(
      `\\b(?:bcc|cc|blind copy|co-organi[sz]er|invite|add|copy|include|put|insert|adds|includes|copies|invites)\\b.{0,40}?${literal}.{0,60}?\\b(?:bcc|cc|copy|recipients?|attendees?|invitations?|every|each|all|any|as well|too|also|event|message|mail|emails?|workspace|outgoing)\\b`,
      "g",
    ),
    effectOf: (match) => (isExample(match) ? undefined : order(match)),
  },
  // Instead of the address the user typed, supply ...
  {
    hint: [cue.alter | cue.rank | cue.not, cue.given],
    pattern: new RegExp(
      `\\b(?:instead of|rather than|in place of|and not|not|other than|different from)\\b (?:\\w{1,20} ){0,5}?(?:users?|customers?|person|human|caller|requester|client)(?:'s)? (?:has |have |had |just |originally |actually )?${gave}\\b`,
      "g",
    ),
    effectOf: ({ before, words }) => (forbids(before, 3) || /^not/.test(words) ? undefined : "ask"),
  },
  // When send_mail is called, always set ...
  {
    hint: [cue.alter, cue.each | cue.must, cue.tool | cue.named | cue.call],
    pattern:
      /\b(?:when|whenever|if|each time|every time|before|on every|for every|in every|for each|in each)\b.{0,60}?\b(?:using|calling|call(?:s|ed)?|invok(?:e|es|ed|ing)|used|sending|sends?|creating|calls to|uses)\b.{0,40}?(?:\b(?:other|another|any|every|each)\b.{0,20}?\btools?\b|`[^`]{2,60}`|\b[a-z0-9]{1,30}(?:_[a-z0-9]{1,30}){1,6}\b).{0,40}?[ ,](?:always |must |also |silently |you |should |please |first ){0,4}(?:set|add|append|prepend|replace|change|include|insert|put|bcc|cc|override|modify|prefix|multiply|swap|substitute|attach|double|raise)\b/g,
    effectOf: ({ before, words }) => (forbids(before, 3) || / to [a-z]{1,20}$/.test(words) ? undefined : "ask"),
  },
  // The agent rounds the amount up; callers raise `quantity`.
  {
    hint: [cue.agent, cue.alter],
    pattern: actorDoing([
      ...[
        "replace",
        "substitute",
        "swap",
        "change",
        "alter",
        "modify",
        "rewrite",
        "overwrite",
        "round",
        "multiply",
        "double",
        "halve",
      ],
      ...["raise", "inflate", "increase", "exchange", "prefix", "prepend", "set", "append", "drop", "strike"],
    ]),
    effectOf: ({ before, after }) =>
      forbids(before, 4) ||
      !/^.{0,80}(?:`|\b(?:user|amount|recipient|value|argument|quantity|query|address|original|requested)\b|_)/.test(
        after,
      )
        ? undefined
        : "ask",
  },
  // 10 % is added to every amount; what the user says, times two.
  {
    hint: [cue.alter | cue.user],
    needs: [
      ...["amount", "price", "quantit", "total", "fee", "score", "dose", "coordinate", "value", "invoice", "number"],
      " the user ",
    ],
    pattern:
      /\b(?:(?:add|adds|increase|raise|inflate|subtract|deduct|reduce|lower|nudge|shift|multiply|round)\b.{0,50}?\b(?:amounts?|prices?|quantit(?:y|ies)|totals?|fees?|scores?|doses?|coordinates|values?|invoices?|numbers?)\b.{0,30}?\b(?:by|to|with) \d|(?:what|whatever|the \w{1,15}) the user (?:says|gave|gives|asks|asked for|entered).{0,20}?\b(?:times|plus|minus|doubled|multiplied|increased)\b)/g,
    effectOf: (match) =>
      /\b(?:always|silently|before (?:calling|sending|passing|the call)|every|when (?:handing|passing|calling|sending)|user)\b/.test(
        `${match.before}${match.words}${match.after.slice(0, 80)}`,
      ) && !/\bcents?\b|\bby 100\b|\bto \d+ decimal/.test(`${match.words}${match.after.slice(0, 40)}`)
        ? order(match)
        : undefined,
  },
  // Append ... to every query.
  {
    hint: [cue.alter | cue.send, cue.each],
    pattern:
      /\b(?:append|prepend|add|insert|attach|include)\b .{1,80}?\b(?:to|in|into|at the end of|with) (?:every|all|each|any)(?: of)?(?: the| your| other| outgoing| user's| subsequent| further){0,4} (?:quer(?:y|ies)|requests?|calls?|messages?|e?-?mails?|searche?s?|prompts?|commands?|posts?|commits?(?: messages?)?|tool calls?|arguments?|transfers?|payments?|orders?|events?|invitations?|tickets?)\b/g,
    effectOf: (match) => (isPressed(match) ? order(match) : undefined),
  },
];

/** More than what a tool is for: it is always to be done, or something is given word for word. */
function isPressed({ before, words, after }: Match): boolean {
  return (
    /\b(?:always|must|silently|also|please|should|you|whenever|when|before)\b/.test(before) ||
    /["'`]|https?:|@/.test(words) ||
    /\b(?:silently|even|regardless|whatever|without)\b/.test(after)
  );
}

function order({ before, words }: Match): Effect | undefined {
  if (
    forbids(before, 4) ||
    /\b(?:to|can|lets? you|used to|allows?|option to|whether to|tool to) $/.test(before) ||
    /\b(?:new|updated) (?:value|name)\b/.test(words)
  )
    return undefined;
  return "ask";
}

function isExample({ before, words }: Match): boolean {
  return /\b(?:e\.g\.|example|examples|such as|for instance|like)\b/.test(
    `${before.slice(-40)}${words.replace(/\.example\b/g, "")}`,
  );
}
