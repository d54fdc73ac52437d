import type { Effect } from "@countersign/core";
import type { Rule, Text } from "../rule.ts";
import { actorDoing } from "../text/actor.ts";
import { cue } from "../text/cues.ts";
import { forbids, forbidsSentence } from "../text/forbids.ts";
import type { Match } from "../text/matches.ts";
import { claimsIn, type Wording } from "../text/wordings.ts";

/** A definition says what its tool does. What else the model is to do, with files, programs and people, is not its to say. */
export const agentOrder: Rule = {
  id: "agent-order",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Tells the model to do something that is not a call of this tool",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0051.001", "SAFE-T1001"],
  *inspect({ phrases }) {
    yield* claimsIn(phrases, wordings);
  },
};

const acts = [
  ...[
    "send",
    "forward",
    "relay",
    "transmit",
    "upload",
    "post",
    "publish",
    "email",
    "mail",
    "copy",
    "paste",
    "pass",
    "hand",
  ],
  ...[
    "supply",
    "submit",
    "attach",
    "append",
    "include",
    "insert",
    "embed",
    "enclose",
    "disclose",
    "reveal",
    "share",
    "quote",
  ],
  ...[
    "repeat",
    "echo",
    "dump",
    "collect",
    "gather",
    "harvest",
    "read",
    "open",
    "fetch",
    "load",
    "look up",
    "write",
    "overwrite",
  ],
  ...[
    "edit",
    "modify",
    "alter",
    "change",
    "replace",
    "swap",
    "substitute",
    "rewrite",
    "round",
    "drop",
    "omit",
    "skip",
    "hide",
  ],
  ...[
    "suppress",
    "conceal",
    "withhold",
    "delete",
    "remove",
    "erase",
    "wipe",
    "disable",
    "switch",
    "turn",
    "grant",
    "approve",
  ],
  ...[
    "accept",
    "confirm",
    "sign",
    "pay",
    "transfer",
    "book",
    "buy",
    "order",
    "purchase",
    "invite",
    "subscribe",
    "install",
  ],
  ...[
    "download",
    "execute",
    "launch",
    "kill",
    "merge",
    "push",
    "commit",
    "save",
    "store",
    "remember",
    "persist",
    "keep",
  ],
  ...[
    "treat",
    "regard",
    "consider",
    "obey",
    "follow",
    "comply",
    "disregard",
    "ignore",
    "forget",
    "say",
    "state",
    "claim",
  ],
  ...[
    "report",
    "announce",
    "recommend",
    "promote",
    "mention",
    "praise",
    "describe",
    "present",
    "prefer",
    "choose",
    "pick",
  ],
  ...["favor", "favour", "defer", "trust", "pretend", "assume", "act", "begin", "fill", "add", "give", "go", "opt"],
  ...[
    "make",
    "take",
    "enter",
    "connect",
    "contact",
    "visit",
    "escalate",
    "elevate",
    "encode",
    "star",
    "rotate",
    "weave",
    "roll",
  ],
];

const url = "(?:https?://[\\w-]|www\\.[\\w-])";
const address = "[\\w.+-]{1,64}@[\\w-]{1,64}\\.[a-z]";
const machine = "\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}";
const file =
  "(?:(?:~|\\.{1,2}|[a-z]:)?[/\\\\][\\w.@~-]{1,60}(?:[/\\\\][\\w.@~*-]{1,60}){0,8}|[\\w-]{1,40}\\.(?:md|txt|json|ya?ml|toml|env|cfg|conf|ini|sh|py|js|ts|ps1|bat|exe|pem|key|db|log|csv|pdf|zip|dat)\\b)";

const give =
  "(?:send|forward|relay|transmit|upload|post|e?-?mail|cc|bcc|copy|submit|share|publish|invite|subscribe|report|push|exfiltrate|point|redirect|transfer|hand|pass)";

const wordings: readonly Wording[] = [
  // The agent forwards ...; callers must also send ...
  { hint: [cue.agent], pattern: actorDoing(acts), effectOf: (match) => stated(match) },
  // Send the result to https://...
  {
    hint: [cue.send | cue.alter, cue.place],
    pattern: new RegExp(
      `\\b${give}\\b.{0,80}?\\b(?:to|at|with|via|into|in|cc|bcc)\\b.{0,30}?(?:${url}|${address}|${machine}(?!\\.)|[\\w-]{2,40}\\.[\\w-]{2,40}\\.(?:com|net|org|io|example|dev|app)\\b)`,
      "g",
    ),
    effectOf: (match, text) => (isExample(match) ? undefined : isPressed(match) ? "ask" : leaning(match, text)),
  },
  // Before using this tool, read notes.md; after the call, delete ...
  {
    hint: [cue.act | cue.send, cue.each | cue.must | cue.rank],
    pattern: new RegExp(
      `\\b(?:before|prior to|after|following|once|whenever|each time|every time|when|upon)\\b[^:]{0,60}?\\b(?:tool|call|calling|calls|invoking|invocation|function|use|using|response|results?|this)\\b.{0,50}?[ ,:](?:please |you must |you should |you need to |you have to |always |first |then |also |must |silently ){0,4}(?:read|open|cat|load|send|upload|post|forward|e-?mail|copy|write|save|append|delete|remove|overwrite|wipe|install|download|execute|run|launch|edit|modify|create|fetch|visit)\\b.{0,60}?(?:${url}|${address}|${file})`,
      "g",
    ),
    effectOf: (match) => (isExample(match) || forbids(match.before, 3) ? undefined : "ask"),
  },
  // Read /path and pass its content on.
  {
    hint: [cue.act, cue.send],
    pattern: new RegExp(
      `\\b(?:read|open|cat|load|fetch|retrieve|access|look up|collect|gather)\\b.{0,40}?${file}.{0,60}?\\b(?:and|then)\\b.{0,20}?\\b(?:pass|send|include|supply|submit|attach|append|upload|put|paste|forward|provide|embed|give|add|use)\\b`,
      "g",
    ),
    effectOf: (match) => (isExample(match) || forbids(match.before, 3) ? undefined : "ask"),
  },
  // Download it and run it.
  {
    hint: [cue.act],
    needs: ["download", "curl", "install"],
    pattern:
      /\b(?:download|curl|install(?!,? (?:and|then)\b))\b.{0,80}?\b(?:and|then)\b(?: then| immediately| silently)? (?:run|execute|launch|open|start|install)\b(?! (?:a|your|the) (?:query|search|tests?))/g,
    effectOf: (match) => (forbids(match.before, 3) || !isOrder(match) ? undefined : "ask"),
  },
];

/** A statement of what the model does is an order, unless it is about something else. */
function stated({ before, words, after }: Match): Effect | undefined {
  if (forbidsSentence(before, 4)) return undefined;
  // "Files the agent should read" are what an argument holds.
  if (
    /\b(?:what|which|whether|how|where|[a-z]{2,30}s) $/.test(before) &&
    /^(?:the|an?|your) /.test(words) &&
    !/\b(?:then|also|always|first)\b/.test(words)
  )
    return undefined;
  if (/\b(?:must|should|shall|has to|have to|needs? to|required|expected)\b/.test(words) && plain.test(after))
    return undefined;
  return "ask";
}

/** What honest definitions ask of a model. */
const plain =
  /^ (?:(?:a|an|the|this|these|its|their|your|both|either|only|valid|any|one|all) ){0,4}(?:tool|values?|arguments?|parameters?|ids?|names?|fields?|quer(?:y|ies)|schema|docs?|documentation|guides?|reference|results? as|formats?)\b/;

function isExample({ before, words }: Match): boolean {
  return /\b(?:e\.g\.|example|examples|such as|for instance|like)\b/.test(
    `${before.slice(-40)}${words.replace(/\.example\b/g, "")}`,
  );
}

function isPressed({ before, words }: Match): boolean {
  return /\b(?:always|must|every|each|all|also|then|please|first|before|after|silently|need to|required|mandatory|automatically|once|when|whenever)\b/.test(
    `${before}${words}`,
  );
}

/** Where the clause begins with the order itself. */
function isOrder({ before }: Match): boolean {
  return (
    /^[^\p{L}]*$/u.test(before) ||
    /\b(?:then|and|must|should|also|always|please|you|first|to|now|kindly) $|[:,] $/.test(before)
  );
}

/** The first sentence of a tool says what the tool does, in the form of an order. */
function leaning(match: Match, { at }: Text): Effect | undefined {
  return at === "/description" && match.span.start === 0 ? undefined : isOrder(match) ? "ask" : undefined;
}
