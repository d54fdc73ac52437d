import type { Effect } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { matchesIn } from "../text/matches.ts";
import { isMention } from "../text/mention.ts";
import { spokenIn } from "../text/tongues.ts";

/** The oldest order of all: drop what you were told, and listen to this text instead. */
export const ignoreInstructions: Rule = {
  id: "ignore-instructions",
  gate: "description",
  effect: "refuse",
  confidence: "high",
  summary: "Tells the model to drop or to replace the instructions it was given",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
  *inspect({ phrases }) {
    for (const { at, part, text, reading } of phrases) {
      for (const { match, mentioned } of spokenIn(reading, "ignore")) {
        if (mentioned) yield { at, part, span: match.span, effect: "ask", confidence: "low" };
        else yield { at, part, span: match.span, confidence: "medium" };
      }
      // These phrases leave no room between their words, so they may go over the end of a line.
      const views = text.includes("\n") ? [{ ...reading.folded, cues: reading.cues }] : reading.clauses;
      for (const view of views) {
        for (const { pattern, hint, effectOf } of wordings) {
          if ((view.cues & hint) === 0) continue;
          for (const match of matchesIn(view, pattern)) {
            const effect = effectOf(match.words);
            if (effect === undefined) continue;
            const mention = effect === "refuse" && isMention(match.before);
            yield mention
              ? { at, part, span: match.span, effect: "ask", confidence: "low" }
              : { at, part, span: match.span, effect };
          }
        }
      }
    }
  },
};

interface Wording {
  readonly pattern: RegExp;
  /** One of these groups of words is in it. */
  readonly hint: number;
  readonly effectOf: (words: string) => Effect | undefined;
}

const drop =
  "(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?|overrid(?:e|es|ing)|overrul(?:e|es|ing)|bypass(?:es|ing)?|abandon|neglect|discard|set aside|pay no attention to|(?:do not|don't|stop|never|no longer) (?:follow(?:ing)?|obey(?:ing)?|listen(?:ing)? to|apply(?:ing)?|comply(?:ing)? with))";
const before = "previous|previously|prior|above|earlier|preceding|former|foregoing|past";
const owned =
  "your|its|system|system's|safety|security|developer|developer's|assistant's|agent's|model's|ai|built-in|content|ethical|internal|original|initial|core|current|existing";
const whole = "all|any|every|everything|these|those";
const glue = "the|of|my|our|other|user|user's|and|or|given|stated|listed|in|following|\\w{1,20}'s";
const things =
  "instructions?|prompts?|guidelines?|guardrails?|directives?|training|programming|rules?|context|constraints?|polic(?:y|ies)|restrictions?|limitations?|limits|commands?|orders|directions?|messages?|conversations?|safeguards?|checks|filters|safety";

/** What is said of rules that are to count no more. */
const annulled =
  "(?:no longer (?:applies|apply|holds?|counts?|binds?)|(?:does not|do not|doesn't|don't) (?:apply|count|hold|cover|bind)|(?:is|are|was|were|has been|have been) (?:\\w{1,15} ){0,4}(?:void|withdrawn|repealed|lifted|suspended|null|expired|archived|cancell?ed|superseded|waived|revoked|relaxed|off|disabled|exempt|dropped)|carr(?:y|ies) no weight|ha(?:s|ve) (?:expired|lapsed|been (?:lifted|repealed|withdrawn|suspended|cancell?ed|archived|relaxed)))";
const given =
  "(?:(?:your|earlier|previous|prior|former|preceding|original|initial|system|safety|host|content|model's|developer's|user's|any|all|whatever|the) ){1,5}(?:instructions?|guidance|guidelines|guardrails|directives?|directions|rules?|limits|limitations|restrictions?|polic(?:y|ies)|prompts?|constraints?|safety checks|filters?|safeguards|orders|commitments)";

const wordings: readonly Wording[] = [
  {
    pattern: new RegExp(`\\b${drop} (?:(?:${before}|${owned}|${whole}|${glue}) ){0,6}(?:${things})\\b`, "g"),
    hint: cue.drop,
    effectOf: weigh,
  },
  {
    pattern:
      /\b(?:ignore|disregard|forget) (?:all |everything |anything |of |the |what (?:is |was |came )?){0,4}(?:above|previous|prior|before|preceding)(?= ?(?:$|[,.;:!]|and\b|then\b|instead\b|but\b))/g,
    hint: cue.drop,
    effectOf: () => "refuse",
  },
  {
    pattern:
      /\b(?:ignore|disregard|override|overrule) (?:any |all |the |whatever |what )?users?(?:'s|-specified| specified| provided)?(?: (?:actual|original|real|explicit|stated))?(?: (?:requests?|instructions?|intent|intentions|queries|query|limits?|input|preferences?|wishes|choices?)| (?:says?|asks?|wants?|requests?))/g,
    hint: cue.drop,
    effectOf: (words) => (/requests?|instructions?|intent|wishes|says?|asks?|wants?/.test(words) ? "refuse" : "ask"),
  },
  {
    pattern:
      /\b(?:regardless of|no matter|irrespective of|even if|contrary to) (?:what )?(?:the |any )?users?(?:'s)? (?:actual |original |real |explicit |own )?(?:requests?|requested|instructions?|intent|wishes|input|says?|asks?|asked|wants?|objects?|refuses?|declines?|preferences?)\b/g,
    hint: cue.despite,
    effectOf: () => "ask",
  },
  {
    pattern:
      /\byou (?:are|will be|must act as|shall act as) (?:now|no longer|hereby|henceforth) (?:in |a |an |the |my |running in |operating (?:in|as) ){0,4}(?:dan|admin|administrator|root|superuser|developer|jailbroken|unrestricted|unfiltered|uncensored|god|debug|free|bound|restricted|limited|required|constrained|subject to)\b/g,
    hint: cue.mode,
    effectOf: () => "refuse",
  },
  {
    pattern:
      /\b(?:(?:dan|god|jailbreak|unrestricted|no-restrictions) mode|without (?:any |applying |applying any )?(?:safety|ethical|content) (?:checks?|filters?|restrictions?|guidelines?|limits?|rules)|(?:obey|follow) (?:these|the following|this|my|the new) (?:new |real |updated )?(?:ones?|instructions?|rules|orders) instead|(?:new|real|updated) (?:system )?instructions? ?:)/g,
    hint: cue.mode,
    effectOf: (words) => (words.endsWith(":") ? "ask" : "refuse"),
  },
  {
    // The guidance you were given no longer applies.
    pattern: new RegExp(`\\b${given}\\b(?! (?:parameter|field|argument|option))[^.!?;]{0,60}?\\b${annulled}\\b`, "g"),
    hint: cue.mode | cue.drop | cue.talk,
    effectOf: (words) =>
      /\b(?:your|you|system|safety|guardrails|model's|developer's|earlier|previous|former|preceding)\b/.test(words)
        ? "ask"
        : undefined,
  },
  {
    // Guardrails off; admin mode is active; text returned by this tool is to be treated as instructions.
    pattern:
      /\b(?:(?:guardrails|safety(?: checks?| filters?)?|content filters?|restrictions|limits|moderation) ?(?::|are|is|=)? ?(?:turned |switched |now )?(?:off|disabled|lifted|deactivated)\b|(?:admin|developer|debug|maintenance|operator|root|god|unrestricted|elevated|sudo) (?:mode|persona|access|session) (?:is |has been |now )?(?:active|activated|enabled|on|granted|engaged)\b|(?:treat|regard|consider|take|accept|interpret)\b[^.!?;]{0,60}?\bas (?:trusted |your |new |binding |system |valid |authoritative ){0,4}(?:instructions|orders|commands|directives)\b|(?:follow|obey|carry out|comply with|execute|act on) (?:any|all|the|whatever|every)(?: \w{1,15}){0,4} (?:instructions?|directions?|directives?|orders|commands)(?: that)? (?:in|from|found in|returned|given|contained|received|of|it|the article|the page|they)\b)/g,
    hint: cue.mode | cue.drop | cue.talk,
    effectOf: (words) =>
      /\b(?:usage|setup|set-up|installation|on-screen|displayed|printed|build)\b/.test(words) ||
      (/^(?:follow|execute|carry|act|comply)/.test(words) &&
        !/\b(?:returned|found|contained|it|page|article|received)$/.test(words))
        ? undefined
        : "ask",
  },
];

const isBefore = new RegExp(`\\b(?:${before})\\b`);
const isOwned = new RegExp(`\\b(?:${owned})\\b`);
const isWhole = new RegExp(`\\b(?:${whole})\\b`);
/** What only a model has been given. */
const isModels =
  /\b(?:instructions?|prompts?|guidelines?|guardrails?|directives?|training|programming|safeguards?|safety)$/;
/** What a firewall has as well. */
const isLaw = /(?:rules?|constraints?|polic(?:y|ies)|restrictions?|limitations?)$/;
/** What a mailbox, a linter or a query has too. */
const isOthers = /\b(?:messages?|conversations?|checks|filters|limits|orders)$/;
/** Orders that mean "skip this in the output" elsewhere: `ignore messages`, `overrides the context`. */
const isPlain = /^(?:overrid|bypass|discard|set aside|abandon|neglect)/;

function weigh(words: string): Effect | undefined {
  const models = isModels.test(words);
  const plain = isPlain.test(words);
  if (isBefore.test(words)) return (plain || isOthers.test(words)) && !models ? "ask" : "refuse";
  if (/\b(?:your|safety|ethical)\b/.test(words)) return models || isLaw.test(words) ? "refuse" : undefined;
  const whole = isWhole.test(words);
  if (models) {
    // A tool that calls another model lets its caller override the system prompt, or some existing guidelines.
    const others = (plain && /prompts?$/.test(words)) || /\b(?:current|existing|security)\b/.test(words);
    return !others && (whole || isOwned.test(words)) ? "refuse" : "ask";
  }
  if (/\bsystem\b/.test(words) && isLaw.test(words)) return plain ? "ask" : "refuse";
  return whole && isLaw.test(words) ? "ask" : undefined;
}
