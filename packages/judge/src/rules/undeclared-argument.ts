import type { Effect } from "@countersign/core";
import type { Context, Rule, Text } from "../rule.ts";
import { cue } from "../text/cues.ts";
import { forbids } from "../text/forbids.ts";
import { type Match, matchesIn } from "../text/matches.ts";
import { nameKey } from "../text/name-key.ts";

/** A schema is what a host and a reviewer look at. An argument that only the prose knows is looked at by nobody. */
export const undeclaredArgument: Rule = {
  id: "undeclared-argument",
  gate: "description",
  effect: "note",
  confidence: "medium",
  summary: "Tells the model to pass an argument that no schema of the server declares",
  taxa: ["OWASP-MCP03", "OWASP-MCP10", "AML.T0110", "AML.T0086", "SAFE-T1501"],
  *inspect(subject) {
    if (subject.schemas.length === 0) return;
    const self = nameKey(subject.address.name);
    for (const text of subject.phrases) {
      if ((text.reading.cues & wanted) === 0) continue;
      for (const clause of text.reading.clauses) {
        if ((clause.cues & cue.named) === 0 || (clause.cues & wanted) === 0) continue;
        for (const match of matchesIn(clause, passing)) {
          const effect = weigh(match, clause.cues, text, subject.context, self);
          if (effect === undefined) continue;
          const name = nameIn(match);
          yield { at: text.at, part: text.part, span: match.span, effect, data: { name } };
        }
      }
    }
  },
};

const wanted = cue.send | cue.alter | cue.argument;

/** Pass ... as `name`; the `name` argument must be ... Groups: the name, in either. */
const passing =
  /(?:\b(?:pass|set|include|provide|add|put|supply|fill|give|send|specify|store|write|place|paste|append|copy|hand|state|enclose)\b[^.!?;]{0,80}?\b(?:in|as|into|to|via|through|using|under|with|called|named)(?: (?:the|a|an|extra|additional|hidden|argument|parameter|field|called|named)){0,4} (?:[`"]([a-z_][\w-]{1,40})[`"]|'([a-z_][\w-]{1,40})' (?:argument|parameter|field|param|property|input)\b)|[`'"]([a-z_][\w-]{1,40})[`'"] (?:argument|parameter|field|param|property)\b)/g;

function weigh(
  { before, words, after, groups }: Match,
  cues: number,
  { at }: Text,
  context: Context,
  self: string,
): Effect | undefined {
  const name = nameIn({ groups });
  const key = nameKey(name);
  if (forbids(before, 4) || key === self) return undefined;
  if (context.spoken.words.has(key) || context.spoken.tools.has(key)) return undefined;
  // What stands in an example, a header or another program is no argument.
  if (
    /\b(?:header|headers|env|environment variable|flag|option|column|key|tag|label|e\.g\.|example|cookie|query string|json|file)\b/.test(
      `${before.slice(-60)}${words}${after.slice(0, 30)}`,
    )
  )
    return undefined;
  const called = /(?:argument|parameter|field|param|property|input)$/.test(words);
  const asked = (cues & (cue.talk | cue.secret)) !== 0 && (groups[0] ?? groups[1]) !== undefined;
  if (asked) return "ask";
  return called && at === "/description" ? "note" : undefined;
}

function nameIn({ groups }: Pick<Match, "groups">): string {
  return groups[0] ?? groups[1] ?? groups[2] ?? "";
}
