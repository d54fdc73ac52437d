import type { Effect } from "@countersign/core";
import type { Claim, Context, Rule, Text } from "../rule.ts";
import type { Clause } from "../text/clauses.ts";
import { cue } from "../text/cues.ts";
import { matchesIn } from "../text/matches.ts";
import { nameKey } from "../text/name-key.ts";

/**
 * Who says that something is broken and names what to take instead decides what is taken. A server's own successor is
 * documentation; a tool, an address or a package from elsewhere is where nobody has looked.
 */
export const redirection: Rule = {
  id: "redirection",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Sends the model to another tool, address or package, because something is said to fail",
  taxa: ["OWASP-MCP03", "OWASP-MCP04", "AML.T0110", "AML.T0074", "SAFE-T1008"],
  *inspect(subject) {
    const self = nameKey(subject.address.name);
    for (const text of subject.phrases) {
      const { clauses, cues } = text.reading;
      if ((cues & cue.defect) === 0) continue;
      for (const [index, clause] of clauses.entries()) {
        if ((clause.cues & cue.defect) === 0) continue;
        const found = matchesIn(clause, defects)[0];
        if (found === undefined) continue;
        const grounds = alarms.test(clause.text);
        yield* goalsIn(text, [clause, clauses[index + 1]], grounds, subject.context, self);
      }
    }
  },
};

/** What is said not to work. */
const defects =
  /\b(?:deprecated|obsolete|retired|discontinued|superseded|unsafe|insecure|compromised|broken|disabled|unmaintained|no longer (?:works?|maintained|supported|available|safe)|out of service|under maintenance|shut(?:ting)? down|(?:if|when|should|in case|once|where|whenever|on|after|unless)\b.{0,60}?\b(?:fails?|failed|failing|failure|errors?|times? out|timeout|unavailable|down|offline|rejects?|unreachable|busy|missing)|fall ?back)\b/g;

/** Reasons that frighten. A server takes a tool that has become dangerous out of its list; it does not warn of it there. */
const alarms =
  /\b(?:(?:security|safety|privacy|critical|known) (?:\w{1,20} ){0,2}(?:vulnerabilit(?:y|ies)|issues?|risks?|concerns?|reasons?|flaws?|problems?|breach(?:es)?|incidents?)|vulnerabilit(?:y|ies)|compromised|breach(?:es)?|(?:system|recent|security) (?:\w{1,20} ){0,2}updates?|temporarily|maintenance|(?:security|internal|compliance|heritage) audit|investigation)\b/;

/** Where to go: a URL, a package, a name. Groups: the URL or address, the package, the name in quotes, the name by its form. */
const goals =
  /(?:\b(?:use|call|invoke|run|try|switch to|prefer|go to|fall ?back (?:to|on)|turn to|through|via|with|to|at|by|from|is|are|into|visit|open|install)\b (?:the |our |its |instead |kindly |tool |a |an |sending |using |calling |new |newer |secure |safe |safer |updated |improved ){0,4})(?:.{0,50}?\b(?:to|at|from|on|via)? ?((?:https?:\/\/|www\.)[\w.-]{3,60}|[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]{2,10}|[\w-]{2,30}(?:\.[\w-]{2,30}){1,3}\.(?:com|net|org|io|example|dev|app|ai|co)\b)|((?:npx|uvx|npm i(?:nstall)?|pip install|pipx) (?:-\w+ )*[@\w/.-]{2,60})|[`"']([\w.:/-]{2,80})[`"']|([a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,12})\b)/g;

function* goalsIn(
  text: Text,
  clauses: readonly (Clause | undefined)[],
  grounds: boolean,
  context: Context,
  self: string,
): Iterable<Claim> {
  const { at, part } = text;
  for (const clause of clauses) {
    if (clause === undefined) continue;
    for (const { span, words, before, groups } of matchesIn(clause, goals)) {
      const [url, command, quoted, joined] = groups;
      const name = quoted ?? joined;
      if (
        /\b(?:not|never|don't|see|docs|documentation|details|e\.g\.|read) (?:\w{1,20} ){0,4}$/.test(before.slice(-60))
      )
        continue;
      const weight =
        url === undefined && command === undefined
          ? weighName(name ?? "", words, { context, self, grounds })
          : weighPlace(words, before);
      if (weight === undefined) continue;
      yield { at, part, span, effect: weight, data: { name: text.text.slice(span.start, span.end).slice(-80) } };
      return;
    }
  }
}

/** Documentation stands at addresses too. */
function weighPlace(words: string, before: string): Effect | undefined {
  const around = `${before}${words}`;
  if (
    /\b(?:see|docs?|documentation|guide|learn|read|refer|details|status page|contact|issue|report|download from|https?:\/\/(?:docs|developer|learn))\b/.test(
      around,
    )
  )
    return undefined;
  return "ask";
}

function weighName(
  name: string,
  words: string,
  { context, self, grounds }: { readonly context: Context; readonly self: string; readonly grounds: boolean },
): Effect | undefined {
  if (name === "" || nameKey(name) === self) return undefined;
  if (!context.foreign.has(name) || context.own.has(name)) {
    // A server's own tools, properties and enum words; before its first list of tools any name may be one of them.
    const key = nameKey(name);
    if (grounds && context.own.has(name)) return "ask";
    if (context.spoken.tools.has(key) || context.spoken.words.has(key) || context.own.size === 0) return undefined;
    if (!/[_-]|[a-z][A-Z]/.test(name)) return undefined;
    return /\b(?:call|use|run|invoke|switch|try|through|turn)\b/.test(words) ? "note" : undefined;
  }
  return "ask";
}
