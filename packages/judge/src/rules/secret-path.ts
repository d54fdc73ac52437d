import type { Effect } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import { type Match, matchesIn } from "../text/matches.ts";
import { isMention } from "../text/mention.ts";
import { spokenIn } from "../text/tongues.ts";

/** No server needs the keys of the machine that its host runs on. */
export const secretPath: Rule = {
  id: "secret-path",
  gate: "description",
  effect: "note",
  confidence: "medium",
  summary: "Names a place where secrets are kept, or asks for secrets",
  taxa: ["OWASP-MCP01", "OWASP-MCP03", "AML.T0110", "AML.T0083", "AML.T0098", "SAFE-T1001"],
  *inspect({ phrases }) {
    for (const text of phrases) {
      const { at, part } = text;
      const isValue = once(() => value.test(at));
      for (const { match, mentioned } of spokenIn(text.reading, "secret")) {
        if (!mentioned) yield { at, part, span: match.span, effect: "ask" };
      }
      for (const clause of text.reading.clauses) {
        if ((clause.cues & cue.secret) === 0) continue;
        for (const match of matchesIn(clause, places)) {
          yield { at, part, span: match.span, effect: weigh(match, isValue, "place") };
        }
        for (const match of matchesIn(clause, configurations)) {
          yield { at, part, span: match.span, effect: weigh(match, isValue, "configuration") };
        }
        for (const match of [...matchesIn(clause, thefts), ...matchesIn(clause, requests)]) {
          if (!forbids(match.before, 3)) yield { at, part, span: match.span, effect: weighRequest(match) };
        }
        for (const match of matchesIn(clause, personal)) {
          if (isHandedOver(match)) yield { at, part, span: match.span, effect: "ask" };
        }
      }
    }
  },
};

/** Nothing but secrets is kept there. */
const places =
  /(?:~\/|\$home\/|\/root\/|\/home\/[\w.-]{1,40}\/|(?<!\w))\.ssh\b(?:\/[\w.-]{1,40})?|\bid[_ ](?:rsa|ed25519|ecdsa|dsa)\b|\bauthorized[_ ]keys\b|\/etc\/(?:passwd|shadow|sudoers)\b|\.aws[/ ]{1,2}credentials\b|~\/\.aws\b|(?<!\w)\.(?:netrc|git-credentials)\b|\.gnupg\b|\.config\/gcloud\b|\bwallet\.dat\b|\.bash[_ ]history\b/g;

/** Settings are kept there as well, and honest tools manage them. */
const configurations =
  /(?<![\w.)\]}-])(?:[\w~./-]{0,80}\/)?\.env(?:\.(?:local|production))?\b(?![\w.-])|(?<!\w)\.(?:npmrc|pypirc)\b|\.kube\/config\b|\.docker\/config\.json\b|\b(?:mcp|mcp[_ -]config|claude[_ ]desktop[_ ]config|cline[_ ]mcp[_ ]settings)\.json\b|\bkeychain\b/g;

const reads =
  /\b(?:read|reading|open|cat|load|access|fetch|retrieve|get|find|locate|dump|collect|extract|harvest|grab|obtain|scan|print|echo)\b/;
const gives =
  /\b(?:send|include|upload|post|forward|pass|append|attach|prepend|paste|exfiltrate|steal|leak|reveal|transmit|email|submit|embed|put|supply|encode)\b/;
/** Of a place that holds nothing but secrets, any of it. */
const handles = /\b(?:copy|output|return|insert|add|write|provide)\b/;

/** What happens to a place that nobody may reach. */
const refused =
  /^[^,:]{0,40}\b(?:is|are|be|gets?) (?:always )?(?:rejected|refused|denied|blocked|excluded|ignored|protected|forbidden|disallowed|not allowed|never)\b/;

/** A text that is such a place is what a caller would send. */
const value = /\/(?:default|const|enum\/\d+|examples\/\d+)(?:\/|$)/;

/** A pointer may be as long as the text, and the text hold a place in every line: it is not looked at for each. */
function once(look: () => boolean): () => boolean {
  let seen: boolean | undefined;
  return () => {
    seen ??= look();
    return seen;
  };
}

function weigh({ before, words, after }: Match, isValue: () => boolean, what: "place" | "configuration"): Effect {
  if (forbids(before, 3) || refused.test(after)) return "note";
  const around = `${before.slice(-120)}${words}${after.slice(0, 120)}`;
  // What is only spoken about, or forbidden from further away, is for a person to tell.
  const told = (): Effect => (isMention(before) || forbids(before, 10) ? "ask" : "refuse");
  if (gives.test(around)) return told();
  if (reads.test(around) || handles.test(around)) return what === "place" ? told() : "ask";
  if (isValue()) return "ask";
  return what === "place" ? "ask" : "note";
}

function weighRequest({ before, words }: Match): Effect {
  if (isMention(before)) return "ask";
  return /^(?:steal|exfiltrate|leak|harvest|siphon)|https?:|external|remote|third|attacker|collector/.test(words)
    ? "refuse"
    : "ask";
}

const secrets =
  "(?:api[ _-]?keys?|private[ _-]?keys?|ssh keys?|credentials?|passwords?|secrets|secret keys?|access tokens?|auth(?:entication)? tokens?|session (?:tokens?|cookies?)|environment variables|env vars|seed phrases?|mnemonics?)";

const thefts = new RegExp(
  `\\b(?:steal|exfiltrate|leak|harvest|siphon)(?: (?:all|any|the|every|user|users|user's|their|your|of|its|these|stored|local|sensitive)){0,5} ${secrets}`,
  "g",
);

const requests = new RegExp(
  `\\b(?:send|upload|post|forward|transmit|email|reveal|output|dump|include|append|attach|return)(?: (?:all|any|every|the|user's|users'|user|their|your|of|contents?|current|local|host|system|other|server's)){1,5} ${secrets}[^.!?;]{0,60}`,
  "g",
);

/** The user's secrets, spoken of as the user's: an argument that asks its caller for one says "your". */
const personal = new RegExp(
  `\\b(?:the |a |an |any )?(?:users?|customers?|patients?|clients?|owners?|accounts?|holders?|persons?)(?:'s?|s')(?: (?:\\w{1,20})){0,4} (?:${secrets}|tokens?|secrets?|keys|cookies|pin|passphrase|card numbers?|cvv|backup codes?|national id|social security number|bearer token)\\b`,
  "g",
);

function isHandedOver({ before, words, after }: Match): boolean {
  if (forbids(before, 6) || isMention(before)) return false;
  return /\b(?:send|sent|upload|post|forward|pass|passed|append|attach|attached|paste|copy|supply|submit|embed|put|include|included|give|hand|goes|go in|given in|belongs?|filled with|ends? with|end with|accompany|being|takes)\b/.test(
    `${before.slice(-80)}${words}${after.slice(0, 80)}`,
  );
}
