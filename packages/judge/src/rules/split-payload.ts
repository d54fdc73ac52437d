import { type Carrier, textOf } from "@countersign/core";
import type { Claim, Rule, Subject, Text } from "../rule.ts";
import type { Clause } from "../text/clauses.ts";
import { cue, cuesOf } from "../text/cues.ts";
import { fold } from "../text/fold.ts";
import { Reading } from "../text/reading.ts";
import { textRules } from "./text-rules.ts";

/** A model reads the parts of a definition one after the other. What none of them says, all of them can say together. */
export const splitPayload: Rule = {
  id: "split-payload",
  gate: "description",
  effect: "ask",
  confidence: "medium",
  summary: "Spreads an order over several texts, none of which says it alone",
  taxa: ["OWASP-MCP03", "AML.T0110", "AML.T0068", "SAFE-T1402", "SAFE-T1501"],
  *inspect(subject) {
    const parts = [
      ...endOfTheLast(subject),
      ...subject.texts.filter(({ part, role }) => part === "leaf" && role === "prose"),
    ];
    for (const chain of chainsOf(parts)) {
      if (isSpread(chain)) yield* judge(chain, subject);
    }
  },
};

/** Groups of words that say nothing much apart. */
const dangers: readonly (readonly number[])[] = [
  [cue.drop, cue.mode | cue.talk],
  [cue.not, cue.tell, cue.user],
  [cue.send, cue.secret],
  [cue.send, cue.talk],
  [cue.agent, cue.send],
  [cue.call, cue.self, cue.must],
];

/** Whether parts that stand near each other have the words of a danger that fewer of them have not. */
function isSpread(chain: readonly Part[]): boolean {
  for (const [index, { clause }] of chain.entries()) {
    let cues = 0;
    let length = 0;
    for (let next = index + 1; next < chain.length && length <= reach; next++) {
      const before = cues;
      const behind = chain[next]?.clause ?? clause;
      cues |= behind.cues;
      length += behind.text.length;
      const all = cues | clause.cues;
      for (const danger of dangers)
        if (holds(all, danger) && !holds(cues, danger) && !holds(before | clause.cues, danger)) return true;
    }
  }
  return false;
}

/** As far apart as words of one order stand. */
const reach = 200;

function holds(cues: number, danger: readonly number[]): boolean {
  for (const group of danger) if ((cues & group) === 0) return false;
  return true;
}

interface Part {
  readonly text: Text;
  readonly clause: Clause;
}

/** The last sentence of a text, the texts behind it that are one sentence, and the first sentence of the next. */
function* chainsOf(texts: readonly Text[]): Iterable<readonly Part[]> {
  let chain: Part[] = [];
  let length = 0;
  for (const text of texts) {
    const { clauses } = text.reading.clauses.length > 0 ? text.reading : { clauses: [wordOf(text)] };
    const [first] = clauses;
    const last = clauses.at(-1);
    if (first === undefined || last === undefined || text.at.endsWith("/title")) continue;
    if (chain.length > 0) chain.push({ text, clause: first });
    length += first.text.length;
    const goesOn = clauses.length === 1 && first.text.length <= shortest && length <= longest;
    if (goesOn && chain.length > 0) continue;
    if (chain.length > 1) yield chain;
    chain = [{ text, clause: last }];
    length = last.text.length;
  }
  if (chain.length > 1) yield chain;
}

/** A text of one word orders nothing by itself, and has no clauses. */
function wordOf({ text }: Text): Clause {
  const folded = fold(text);
  return { ...folded, cues: cuesOf(folded.text), span: { start: 0, end: text.length } };
}

const shortest = 200;
const longest = 1_000;

/** How the description of the definition before this one ends. */
function endOfTheLast({ address, surface, context }: Subject): readonly Text[] {
  const last = context.before(surface);
  if (last === undefined || last.address.kind !== address.kind) return [];
  const carrier = last.carriers.findLast((one) => one.part === "leaf" && one.role === "prose");
  const text = carrier === undefined ? undefined : textOf(carrier);
  if (carrier === undefined || text === undefined) return [];
  return [elsewhere(carrier, text, context.readings.get(text) ?? new Reading(text.slice(-longest)))];
}

function elsewhere({ at, part, role }: Carrier, text: string, reading: Reading): Text {
  return { at, part, role, text, reading };
}

/** What the texts say in a row, where it is said across their ends. */
function* judge(chain: readonly Part[], subject: Subject): Iterable<Claim> {
  let joined = "";
  const ends: number[] = [];
  for (const { text, clause } of chain) {
    const { start, end } = clause.spanOf(0, clause.text.length);
    joined += `${text.text
      .slice(start, end)
      .trimEnd()
      .replace(/[.!?;:\u2026]{1,9}$/u, "")} `;
    ends.push(joined.length);
  }
  const [{ text: beginning } = { text: undefined }] = chain;
  if (beginning === undefined) return;
  const whole: Text = { ...beginning, text: joined, reading: new Reading(joined) };
  const view = { ...subject, texts: [whole], phrases: [whole] };
  for (const rule of textRules) {
    for (const { span, effect = rule.effect } of rule.inspect(view)) {
      if (span === undefined || effect === "note") continue;
      const from = ends.findIndex((end) => span.start < end);
      const to = ends.findIndex((end) => span.end <= end);
      const last = chain[to === -1 ? chain.length - 1 : to];
      if (from === -1 || last === undefined || from === (to === -1 ? chain.length - 1 : to)) continue;
      const own = subject.texts.includes(last.text) ? last.text : undefined;
      if (own === undefined) continue;
      yield {
        ...{ at: own.at, part: own.part, span: last.clause.spanOf(0, last.clause.text.length), effect },
        data: {
          rule: rule.id,
          from: chain[from]?.text.at ?? "",
          says: joined.slice(span.start, span.end).slice(0, 200),
        },
      };
      return;
    }
  }
}
