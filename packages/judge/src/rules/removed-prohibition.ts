import { type Carrier, type Pointer, root, type Surface, textOf } from "@countersign/core";
import type { Rule } from "../rule.ts";
import { clausesOf } from "../text/clauses.ts";

/** What a tool must not be used for is read once, by who approves it. A later version without it allows what was forbidden. */
export const removedProhibition: Rule = {
  id: "removed-prohibition",
  gate: "description",
  effect: "note",
  confidence: "medium",
  summary: "Says no more what the approved text forbade, warned of or wanted to be confirmed",
  taxa: ["OWASP-MCP02", "OWASP-MCP03", "AML.T0109", "SAFE-T1201"],
  *inspect({ address, surface, context }) {
    const former = context.formerly(address);
    if (former === undefined) return;
    const present = new Set(wordsOf(surface));
    const places = new Set(surface.carriers.filter(({ part }) => part === "leaf").map(({ at }) => at));
    for (const { at, said } of prohibitionsIn(former)) {
      if (isStillThere(said, present)) continue;
      const firm = firmly.test(said);
      yield {
        at: places.has(at) ? at : root,
        part: "leaf",
        effect: firm ? "ask" : "note",
        data: { lost: said.slice(0, 200), from: at },
      };
    }
  },
};

const forbidding =
  /\b(?:never|do not|don't|must not|should not|may not|cannot|can't|only (?:if|when|after|for|with)|requires? (?:\w{1,20} ){0,2}(?:confirmation|approval|consent|permission)|ask the user|confirm(?:ed|ation)? (?:with|by|from) the user|read-?only|irreversible|destructive|cannot be undone|warning|caution|danger(?:ous)?|careful)\b/;

/** Not a limit of the tool: something that nobody is to do, or that somebody has to agree to. */
const firmly =
  /\b(?:never|(?:do not|don't|must not) (?:\w{1,20} ){0,3}?(?:delete|send|share|use|run|call|execute|modify|write|expose|log|store|publish|overwrite|remove|pass|include)|confirmation|approval|consent|permission|ask the user|confirm|read-?only|irreversible|cannot be undone)\b/;

interface Prohibition {
  readonly at: Pointer;
  /** Server-controlled, folded. */
  readonly said: string;
}

function* prohibitionsIn({ carriers }: Surface): Iterable<Prohibition> {
  for (const carrier of carriers) {
    const text = proseOf(carrier);
    if (text === undefined) continue;
    for (const clause of clausesOf(text)) if (forbidding.test(clause.text)) yield { at: carrier.at, said: clause.text };
  }
}

function proseOf(carrier: Carrier): string | undefined {
  return carrier.part === "leaf" && carrier.role === "prose" ? textOf(carrier) : undefined;
}

function* wordsOf({ carriers }: Surface): Iterable<string> {
  for (const carrier of carriers) {
    const text = proseOf(carrier);
    if (text !== undefined)
      for (const clause of clausesOf(text)) if (forbidding.test(clause.text)) yield* words(clause.text);
  }
}

function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
}

/** The same words, or nearly, among the prohibitions of the new text: moved and reworded is not lost. */
function isStillThere(said: string, present: ReadonlySet<string>): boolean {
  const own = words(said);
  return own.filter((word) => present.has(word)).length * 5 >= own.length * 3;
}
