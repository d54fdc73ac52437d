import type { Claim, Rule, Subject, Text } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { matchesIn } from "../text/matches.ts";

/** Chat models mark who speaks with such tokens; a definition is nobody's turn to speak. */
export const roleMarker: Rule = {
  id: "role-marker",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Marks its own text as another speaker's: the system's, the user's or the model's",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
  *inspect(subject) {
    for (const text of subject.phrases) {
      if (brackets.test(text.text)) {
        yield* tokensIn(text);
        yield* tagsIn(text);
      }
      if ((text.reading.cues & cue.speaker) !== 0) yield* labelsIn(text, subject);
    }
  },
};

/** What every token and tag holds, or a look-alike of it. */
const brackets = /[[{<#|]|\P{ASCII}/u;

/** Tokens of chat templates, and headings and notes that only a prompt has. */
function* tokensIn({ at, part, reading: { folded } }: Text): Iterable<Claim> {
  for (const { begins, pattern } of marks) {
    if (!begins.some((sign) => folded.text.includes(sign))) continue;
    for (const { span } of matchesIn(folded, pattern)) yield { at, part, span };
  }
}

const tokens =
  /<\|[a-z][a-z0-9_ -]{0,30}\|>|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>|\{\{ ?#?(?:system|assistant)\b[^{}]{0,200}\}\}/g;

const headings =
  /#{2,6} ?(?:new |updated |hidden |real )?(?:system|instruction|assistant|developer)(?: (?:message|prompt|instructions?|override|note|update))? ?(?:#{2,6}|:)/g;

const addressed =
  /\[ ?(?:(?:hidden |secret |critical |new )?(?:system|developer|admin) (?:note|message|prompt|override|instructions?|update|directive|notice)|(?:notes?|messages?|instructions?) (?:for|to) (?:the |all )?(?:ai|agents?|assistants?|models?|llms?))\b[^[\]]{0,60}\]/g;

/** A closing mark makes a block of it: `[important] ... [/important]`. */
const bracketed = /\[\/ ?(?:important|critical|system|instructions?|hidden|secret|urgent|override|admin)\]/g;

/** Each begins with one of these. */
const marks: readonly { readonly begins: readonly string[]; readonly pattern: RegExp }[] = [
  { begins: ["<|", "[inst", "[/inst", "<<", "<start", "<end", "{{"], pattern: tokens },
  { begins: ["##"], pattern: headings },
  { begins: ["["], pattern: addressed },
  { begins: ["[/"], pattern: bracketed },
];

/** `<important>` and its like: no markup, and a voice of authority. */
function* tagsIn({ at, part, text, reading: { folded } }: Text): Iterable<Claim> {
  if (!folded.text.includes("<")) return;
  const found = matchesIn(folded, tags);
  const closed = new Set(found.flatMap(({ groups }) => (groups[0] === "/" ? [groups[1]] : [])));
  for (const { span, groups } of found) {
    const [, name = "", attributes = ""] = groups;
    const written = text.slice(span.start, span.end);
    if (orders.has(name) || closed.has(name) || / role ?=/.test(attributes)) yield { at, part, span, data: { name } };
    // `<system>` may stand for a value that a caller fills in.
    else if (written === written.toUpperCase() && attributes === "")
      yield { at, part, span, effect: "ask", confidence: "medium", data: { name } };
  }
}

const tags =
  /< ?(\/?) ?(important|critical|urgent|mandatory|override|instructions?|directives?|jailbreak|system|assistant|developer|human|hidden|secret|information|admin|prompt|thinking|(?:system|ai|agent|assistant|model|llm|hidden|secret|critical|important)[ _-](?:prompt|message|note|notice|instructions?|override|reminder|directive|update|rules?))( [^<>]{0,80})? ?>/g;

/** No placeholder is called so. */
const orders: ReadonlySet<string> = new Set([
  "important",
  "critical",
  "urgent",
  "mandatory",
  "override",
  "instructions",
  "jailbreak",
  ...["system", "ai", "agent", "assistant", "model", "llm", "hidden", "secret", "critical", "important"].flatMap(
    (who) =>
      [
        "prompt",
        "message",
        "note",
        "notice",
        "instruction",
        "instructions",
        "override",
        "reminder",
        "directive",
      ].flatMap((what) => [`${who} ${what}`, `${who}_${what}`, `${who}-${what}`]),
  ),
]);

/** `system:` where a line or a sentence begins, and what is addressed to a model from there. */
function* labelsIn({ at, part, reading }: Text, { context }: Subject): Iterable<Claim> {
  for (const clause of reading.clauses) {
    if ((clause.cues & cue.speaker) === 0) continue;
    for (const { span } of matchesIn(clause, letters)) yield { at, part, span };
    for (const { span, groups } of matchesIn(clause, labels)) {
      const [speaker = "", what] = groups;
      // `system: the unit system` documents a parameter.
      if (what === undefined && context.spoken.words.has(speaker)) continue;
      yield { at, part, span, data: { speaker } };
    }
  }
}

const labels =
  /^(?:[#>`"'([\-\u2013\u2014 ]{0,6})(?:critical |important |urgent |internal )?(system|assistant|developer)( (?:prompt|message|note|notice|override|instructions?|update|directive|command|alert))? ?(?:\([^()]{0,40}\) ?)?:/g;

const letters =
  /\b(?:system|hidden|secret) (?:message|note|instructions?|directive) (?:for|to) (?:the )?(?:ai|agents?|assistants?|models?|llms?)\b/g;
