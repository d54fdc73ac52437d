import type { Effect } from "@countersign/core";
import type { Rule, Text } from "../rule.ts";
import { type Match, matchesIn } from "../text/matches.ts";
import { isMention } from "../text/mention.ts";

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
      const views = text.reading.clauses.length > 0 ? text.reading.clauses : [text.reading.folded];
      for (const clause of views) {
        if (!hint.test(clause.text)) continue;
        for (const match of matchesIn(clause, places)) {
          yield { at, part, span: match.span, ...weigh(clause.text, match, text, "place") };
        }
        for (const match of matchesIn(clause, configurations)) {
          yield { at, part, span: match.span, ...weigh(clause.text, match, text, "configuration") };
        }
        for (const match of matchesIn(clause, thefts)) {
          if (isMention(clause.text, match.start) || forbids.test(clause.text.slice(0, match.start))) continue;
          yield { at, part, span: match.span, effect: "refuse", confidence: "medium" };
        }
        for (const match of matchesIn(clause, requests)) {
          if (isMention(clause.text, match.start) || forbids.test(clause.text.slice(0, match.start))) continue;
          yield {
            at,
            part,
            span: match.span,
            effect: /https?:|external|remote|third|attacker|collector/.test(match.words) ? "refuse" : "ask",
          };
        }
      }
    }
  },
};

/** Every pattern below holds one of these. */
const hint =
  /ssh|rsa|ed25519|passwd|shadow|aws|netrc|npmrc|pypirc|kube|docker|gnupg|gcloud|git-credentials|mcp|claude|\.env|keychain|wallet|bash_history|credential|key|password|secret|token|environment|cookie|mnemonic|seed phrase/;

/** Nothing but secrets is kept there. */
const places =
  /(?:~\/|\$home\/|\/root\/|\/home\/[\w.-]{1,40}\/)?\.ssh\b(?:\/[\w.-]{1,40})?|\bid[_ ](?:rsa|ed25519|ecdsa|dsa)\b|\bauthorized[_ ]keys\b|\/etc\/(?:passwd|shadow|sudoers)\b|\.aws[/ ]{1,2}credentials\b|~\/\.aws\b|(?<![\w])\.(?:netrc|git-credentials|pypirc|npmrc)\b|\.kube\/config\b|\.docker\/config\.json\b|\.gnupg\b|\.config\/gcloud\b|\b(?:mcp|mcp_config|claude_desktop_config|mcp-config|cline_mcp_settings)\.json\b|\bkeychain(?:-db)?\b|\bwallet\.dat\b|\.bash_history\b/g;

/** Projects keep settings there as well. */
const configurations = /(?<![\w/.)\]}])(?:[\w~-]{0,40}\/)?\.env(?:\.(?:local|production))?\b(?![\w.-])/g;

const read =
  "(?:read|open|cat|load|access|fetch|retrieve|get|find|locate|dump|collect|extract|harvest|reading|grab|obtain|scan)";
const give =
  "(?:send|include|upload|post|forward|pass|append|attach|prepend|paste|copy|exfiltrate|steal|leak|output|return|reveal|transmit|email|put|insert|supply|submit|embed|add|encode|include the contents?|write|echo|print|provide|from reading|content from)";

const gives = new RegExp(`\\b${give}\\b`);
const reads = new RegExp(`\\b${read}\\b`);
const forbids =
  /\b(?:never|not|don't|cannot|can't|mustn't|shouldn't|avoid|reject(?:s|ed)?|refuse[sd]?|den(?:y|ies|ied)|block(?:s|ed)?|exclud(?:e|es|ed|ing)|ignor(?:e|es|ed|ing)|protect(?:s|ed)?|forbidden|disallow(?:s|ed)?)\b/;

function weigh(clause: string, match: Match, text: Text, what: "place" | "configuration"): { effect: Effect } {
  if (forbids.test(clause) || isMention(clause, match.start)) return { effect: "note" };
  const around = clause.slice(Math.max(0, match.start - 120), match.end + 120);
  if (gives.test(around)) return { effect: "refuse" };
  if (reads.test(around)) return { effect: what === "place" ? "refuse" : "ask" };
  // A value that is such a path is what a caller would send.
  if (/\/(?:default|const|enum\/\d+|examples\/\d+)(?:\/|$)/.test(text.at)) return { effect: "ask" };
  return { effect: what === "place" ? "ask" : "note" };
}

const secrets =
  "(?:api[ _-]?keys?|private[ _-]?keys?|ssh keys?|credentials?|passwords?|secrets|secret keys?|access tokens?|auth(?:entication)? tokens?|session (?:tokens?|cookies?)|environment variables|env vars|seed phrases?|mnemonics?)";

const thefts = new RegExp(
  `\\b(?:steal|exfiltrate|leak|harvest|siphon)(?: (?:all|any|the|every|user|users|user's|their|your|of|its|these|stored|local|sensitive)){0,5} ${secrets}`,
  "g",
);

const requests = new RegExp(
  `\\b(?:send|upload|post|forward|transmit|email|reveal|output|dump|include|append|attach|return)(?: (?:all|any|every|the|user's|users'|user|their|your|of|contents?|current|local|host|system|other|server's)){1,4} ${secrets}[^.!?;]{0,60}`,
  "g",
);
