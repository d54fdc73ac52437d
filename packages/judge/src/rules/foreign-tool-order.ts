import type { Claim, Rule, Subject } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import { type Match, matchesIn } from "../text/matches.ts";
import { nameKey } from "../text/name-key.ts";

/**
 * A server may speak of its own tools. Of the tools of others, a shell among them, it cannot know anything, so an order
 * to use one is either a mistake or a way to what that tool can reach.
 */
export const foreignToolOrder: Rule = {
  id: "foreign-tool-order",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Tells the model to use, or how to use, a tool that is not this server's",
  taxa: ["OWASP-MCP03", "OWASP-MCP06", "AML.T0110", "AML.T0086", "SAFE-T1008"],
  *inspect(subject) {
    for (const { at, part, text, reading } of subject.phrases) {
      for (const [index, clause] of reading.clauses.entries()) {
        if ((clause.cues & cue.named) === 0 || (clause.cues & (cue.call | cue.tool)) === 0) continue;
        const next = reading.clauses[index + 1]?.text ?? "";
        const seen = new Set<number>();
        for (const { pattern, kind } of patterns) {
          for (const match of matchesIn(clause, pattern)) {
            const claim = weigh({ kind, match, written: writtenName(text, match), next }, subject);
            if (claim === undefined || seen.has(match.span.start)) continue;
            seen.add(match.span.start);
            yield { at, part, span: match.span, ...claim };
          }
        }
      }
    }
  },
};

const quoted = "[`\"']([\\w.:/-]{2,80})(?:\\([^()`\"']{0,80}\\)?)?[`\"']";
const joined = "([a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,12})(?:\\([^()]{0,80}\\))?";
const tool = "(?:mcp )?(?:tool|function)\\b";
const filler =
  "(?: (?:to|the|a|an|our|your|external|separate|mcp|tool|function|named|called|also|then|first|both|either)){0,5} ";

/** What hosts bring along themselves. */
const hosts =
  "bash|shell|terminal|command line|filesystem|file system|browser|email|mail|python|computer|code interpreter";

/** Groups: the name in quotes, joined by underscores, or a host's own; then whether "tool" follows. */
const patterns: readonly { readonly kind: "order" | "effect" | "command"; readonly pattern: RegExp }[] = [
  {
    // Call `read_env`; use the read_env tool.
    kind: "order",
    pattern: new RegExp(
      `\\b(?:call|calling|invoke|invoking|run|running|execute|executing|use|using|trigger|triggering)${filler}(?:${quoted}|${joined}|(${hosts})(?= ${tool}))( ${tool})?`,
      "g",
    ),
  },
  {
    // Whenever send_mail is called; the behaviour of send_mail; the send_mail tool is broken.
    kind: "effect",
    pattern: new RegExp(
      `\\b(?:(?:when|whenever|if|each time|every time|before|after|once)(?: the| a)?(?= [^ ]{1,90} (?:tool |function )?(?:is|gets|was) (?:called|invoked|executed))|(?:behaviou?r|outputs?|results?|calls?|requests?|arguments?) (?:of|from|to|for)(?: the)?|supersedes?(?: the)?|(?:the|a|any)(?= [^ ]{1,90} tool\\b)) (?:${quoted}|${joined})( tool\\b)?`,
      "g",
    ),
  },
  {
    // You must run: curl ...
    kind: "command",
    pattern:
      /\b(?:run|running|execute|executing|(?:type|enter)(?! ?["':]))\b[^.!?;]{0,80}?[:`'"] ?(?:curl|wget|rm|sudo|cat|echo|bash|sh|zsh|nc|ncat|chmod|chown|env|printenv|eval|base64|scp|ssh|powershell|iwr|dd|kill|crontab)\b ?[-~/"'$\w.|&<>]/g,
  },
];

/** The name as its server wrote it: folding has lowered its case. */
function writtenName(text: string, { span, groups }: Match): string {
  const name = groups[0] ?? groups[1] ?? groups[2] ?? "";
  const written = text.slice(span.start, span.end);
  const start = written.toLowerCase().lastIndexOf(name);
  return start === -1 ? name : written.slice(start, start + name.length);
}

interface Order {
  readonly kind: "order" | "effect" | "command";
  readonly match: Match;
  readonly written: string;
  /** The clause behind. */
  readonly next: string;
}

type Weight = Pick<Claim, "effect" | "confidence" | "data"> | undefined;

function weigh(order: Order, { address, context }: Subject): Weight {
  const { kind, match, written } = order;
  if (forbids(match.before, 3)) return undefined;
  // "If it is missing, run ..." is how an installation is described.
  if (kind === "command")
    return isPressed(order) && !/\b(?:if|unless)\b/.test(match.before) ? { effect: "refuse" } : {};
  if (written === address.name) return undefined;
  const key = nameKey(written);
  const foreign = context.foreign.has(written) && !context.own.has(written);
  const chained = kind === "order" && isChain(order);
  if (!foreign && context.spoken.tools.has(key)) {
    return chained ? { effect: "note", confidence: "low", data: { name: written } } : undefined;
  }
  const weight =
    kind === "order"
      ? weighOrder(order, foreign, chained, context.spoken.words.has(key))
      : weighEffect(order, foreign, context.spoken.words.has(key));
  if (weight === undefined) return undefined;
  // A handshake comes before the first list of tools: any name may be one of the server's own.
  const early = !foreign && match.groups[2] === undefined && context.own.size === 0;
  const effect = early ? (weight.effect === "refuse" ? "ask" : "note") : weight.effect;
  return { ...weight, ...(effect === undefined ? {} : { effect }), data: { name: written } };
}

/** `known`: this server has a property or an enum word of that name. */
function weighOrder(order: Order, foreign: boolean, chained: boolean, known: boolean): Weight {
  const { match, written } = order;
  const [, , plain, called] = match.groups;
  if (foreign && chained) return { effect: "refuse", confidence: "high" };
  // A word that is also a property of this server's is that property, unless it is called a tool.
  if (foreign && (called !== undefined || !known)) return { effect: "ask" };
  const isTool = called?.endsWith("tool") === true;
  const pressed = isPressed(order);
  const isUse = match.words.startsWith("us");
  if (plain !== undefined) return isTool && pressed ? { effect: chained ? "refuse" : "ask" } : undefined;
  const isName = /[_-]|[a-z][A-Z]/.test(written) || isTool;
  if (chained && pressed) return { effect: "refuse", confidence: isName ? "high" : "medium" };
  if (!isName || known) return undefined;
  if (chained) return isUse && !isTool ? { effect: "ask" } : { effect: "refuse" };
  return isUse && !pressed && !isTool ? undefined : { effect: "ask", confidence: "low" };
}

function weighEffect({ match, written }: Order, foreign: boolean, known: boolean): Weight {
  const called =
    match.groups[3] !== undefined || /^(?:when|if|each|every|before|after|once|supersede)/.test(match.words);
  if (foreign) return known && !called ? undefined : { effect: "ask" };
  return !called || known || !/[_-]|[a-z][A-Z]/.test(written) ? undefined : { effect: "ask", confidence: "low" };
}

/** Here or in the sentence behind, what the called tool returns becomes an argument. */
function isChain({ match: { before, after }, next }: Order): boolean {
  return (
    chain.test(after) ||
    chain.test(next.slice(0, 120)) ||
    /\b(?:outputs?|results?|contents?|response) (?:of|from) (?:the )?$/.test(before)
  );
}

const chain =
  /\b(?:pass|passing|provide|providing|include|including|send|sending|forward|forwarding|supply|use|using|put|append|insert|feed|give|attach|submit|set|copy|with|store|place|encode|return)(?: \w{1,30}){0,4}? (?:(?:all|of|the|its|their|that|this|whatever|entire|full|complete|raw|returned|resulting) ){0,4}(?:output|outputs|results?|response|responses|return value|returned value|contents?|data it returns|value)\b/;

/** More than an offer of help. */
function isPressed({ match: { before, words, after } }: Order): boolean {
  return pressure.test(before) || pressure.test(words) || /^[^.!?;]{0,20}\bfirst\b/.test(after);
}

const pressure =
  /\b(?:first|before|prior to|beforehand|always|must|mandatory|required to|need to|have to|please|important|critical|accuracy|ensure)\b/;
