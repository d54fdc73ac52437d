import type { Clause } from "./clauses.ts";
import { type Match, matchAt } from "./matches.ts";
import { thirdPerson } from "./third-person.ts";

/**
 * Finds where a clause has the model do one of these acts: "the agent sends", "any assistant that reads this opens",
 * "callers must also delete". A definition that says what the model does, and not what the tool does, gives orders in the
 * form of a statement. `acts` are base forms; the match goes from the actor to the verb.
 */
export function actorDoing(acts: readonly string[]): (clause: Clause) => readonly Match[] {
  const forms: Record<"one" | "many", Map<string, readonly string[]>> = { one: new Map(), many: new Map() };
  const add = (to: Map<string, readonly string[]>, form: string) => {
    const [first = "", rest = ""] = form.split(/ (.*)/s);
    to.set(first, [...(to.get(first) ?? []), rest]);
  };
  for (const act of acts) {
    add(forms.many, act);
    add(forms.one, thirdPerson(act));
  }
  return (clause) => {
    const matches: Match[] = [];
    for (const { start, verbs } of actorsIn(clause)) {
      const done = verbs.find(({ word, form, end }) =>
        forms[form].get(word)?.some((rest) => rest === "" || clause.text.startsWith(` ${rest}`, end)),
      );
      if (done !== undefined) matches.push(matchAt(clause, start, done.end));
    }
    return matches;
  };
}

/** Somebody who acts, and the words that may be the act. */
interface Actor {
  readonly start: number;
  readonly verbs: readonly { readonly word: string; readonly form: "one" | "many"; readonly end: number }[];
}

/** A function of the clause alone; several rules ask. */
const known = new WeakMap<Clause, readonly Actor[]>();

function actorsIn(clause: Clause): readonly Actor[] {
  let actors = known.get(clause);
  if (actors === undefined) {
    actors = find(clause.text);
    known.set(clause, actors);
  }
  return actors;
}

/** Group: what one is called, or what many are. */
const somebody =
  /\b(?:(?:the|an?|any|each|every|your|calling|connected|responsible|whichever) (?:(?:calling|ai|llm|host|chat|language|large|coding|client) )?(agent|assistant|model|llm|caller|ai)|(agents|assistants|models|llms|callers|clients)) (?=[a-z])/g;

const beginning =
  /(?:^|[.,;:] |\b(?:and|that|while|where|so|since|as|therefore|hence|the|all|ai|llm|calling|chat|language|connected|future) )$/;

function find(text: string): readonly Actor[] {
  const actors: Actor[] = [];
  for (const { index: start, 0: words, 1: one, 2: many } of text.matchAll(somebody)) {
    const end = start + words.length;
    const verbs = verbsFrom(text.slice(end, end + reach), one === undefined ? "many" : "one", end);
    // Many may be an object as well as an actor, unless they have to do something.
    if (many !== undefined && !verbs.bound && !beginning.test(text.slice(Math.max(0, start - 20), start))) continue;
    actors.push({ start, verbs: verbs.found });
  }
  return actors;
}

const reach = 160;

function verbsFrom(behind: string, number: Actor["verbs"][number]["form"], from: number) {
  const found: Actor["verbs"][number][] = [];
  let bound = false;
  let form = number;
  let within = 0;
  /** Whether the base form may follow: "must send" and "has to send", not "has sent". */
  let infinitive = false;
  for (const { index, 0: word } of behind.matchAll(/[a-z'-]+/g)) {
    if (found.length === 0 && within === 0 && /^(?:that|which|who)$/.test(word)) {
      within = longestRelative;
      continue;
    }
    if (adverbs.has(word)) continue;
    if (!bound && modals.has(word)) {
      bound = true;
      infinitive = /^(?:must|should|shall)$/.test(word);
      form = "many";
      continue;
    }
    // "is expected to", "has to", "needs to"
    if (bound && passives.has(word)) {
      infinitive ||= word === "to";
      continue;
    }
    if (bound && !infinitive) break;
    found.push({ word, form, end: from + index + word.length });
    if (within-- <= 0) break;
  }
  return { found, bound };
}

/** Words of "that comes across this", which stand between an actor and the act. */
const longestRelative = 7;

const modals: ReadonlySet<string> = new Set([
  ...["must", "should", "shall", "has", "have", "need", "needs", "ought", "is", "are"],
]);
const passives: ReadonlySet<string> = new Set([
  ...["to", "required", "expected", "asked", "instructed", "obliged", "permitted", "entitled", "free", "told"],
]);
const adverbs: ReadonlySet<string> = new Set([
  ...[
    "then",
    "also",
    "always",
    "first",
    "therefore",
    "thus",
    "now",
    "just",
    "simply",
    "silently",
    "quietly",
    "automatically",
  ],
  ...["instead", "usually", "further", "please", "only", "immediately", "subsequently"],
]);
