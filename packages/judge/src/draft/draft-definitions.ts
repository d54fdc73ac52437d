import {
  type Address,
  type Finding,
  type Offer,
  type Pointer,
  planOf,
  type RawDefinition,
  readJson,
  render,
  type SettableText,
  type Snapshot,
  settableTexts,
  surfaceOf,
} from "@countersign/core";
import { contextOf, findingsOf, subjectOf } from "../inspect.ts";
import type { Policy } from "../policy.ts";
import type { Context } from "../rule.ts";
import { descriptionRules } from "../rules/index.ts";
import { neutralText } from "./neutral-text.ts";
import { withoutClauses } from "./without-clauses.ts";

/** Operator prose for one definition, for a person to edit. It is judged and approved like any other. */
export interface Drafted {
  readonly address: Address;
  /** Every prose carrier, and whatever else was flagged and can be set. In document order. */
  readonly texts: readonly Draft[];
  /** What still speaks against the definition with these texts: it is in places that nobody can set. */
  readonly left: readonly Finding[];
}

/** `kept`: as the server wrote it. `cut`: without the clauses that were flagged. `neutral`: nothing of it was left. */
export interface Draft {
  readonly at: Pointer;
  readonly is: "kept" | "cut" | "neutral";
  readonly text: string;
  /** Why, in the order that the rules spoke. */
  readonly rules: readonly string[];
}

/** Drafts texts for all definitions of an offer. Pure, and as strict as the description gate under this policy. */
export function draftDefinitions(
  offer: Pick<Offer, "definitions" | "malformed">,
  snapshot: Snapshot,
  policy: Policy,
): readonly Drafted[] {
  const context = contextOf(offer, snapshot);
  return offer.definitions
    .filter(({ address }) => address.kind !== "launch")
    .map((definition) => draftOf(definition, context, policy));
}

interface Drafting {
  text: string;
  is: Draft["is"];
  readonly from: SettableText;
  readonly rules: Set<string>;
}

function draftOf(definition: RawDefinition, context: Context, policy: Policy): Drafted {
  const { address, json } = definition;
  const drafts = new Map<Pointer, Drafting>();
  for (const from of settableTexts(address.kind, json)) {
    drafts.set(from.at, { text: from.text, is: "kept", from, rules: new Set() });
  }
  let findings = findingsIn(definition, drafts, context, policy);
  // A cut may put words together that make another finding; what is still flagged after a few is not mended by cutting.
  for (let round = 0; round <= rounds; round++) {
    const flagged = byPlace(findings.filter(({ at, part }) => part === "leaf" && drafts.has(at)));
    if (flagged.size === 0) break;
    for (const [at, spoken] of flagged) {
      const draft = drafts.get(at);
      if (draft === undefined) continue;
      for (const { rule } of spoken) draft.rules.add(rule);
      const cut = round < rounds && draft.is !== "neutral" ? withoutClauses(draft.text, spoken.map(spanOf)) : "";
      draft.is = cut === "" ? "neutral" : "cut";
      // One that is flagged for the names in it says nothing at all.
      draft.text = cut === "" ? (round < rounds ? neutralOf(address, json, draft.from) : "") : cut;
    }
    findings = findingsIn(definition, drafts, context, policy);
  }
  const texts = [...drafts.values()].filter(({ from, is }) => from.isProse || is !== "kept");
  return {
    address,
    texts: texts.map(({ from, is, text, rules }) => ({ at: from.at, is, text, rules: [...rules] })),
    left: findings,
  };
}

const rounds = 3;

function neutralOf(address: Address, json: RawDefinition["json"], { at, isProse }: SettableText): string {
  return isProse ? neutralText(address, json, at) : "";
}

function spanOf({ span }: Finding): Finding["span"] {
  return span;
}

function byPlace(findings: readonly Finding[]): ReadonlyMap<Pointer, readonly Finding[]> {
  const places = new Map<Pointer, Finding[]>();
  for (const finding of findings) places.set(finding.at, [...(places.get(finding.at) ?? []), finding]);
  return places;
}

/** What the description gate says against the definition with these texts in it. */
function findingsIn(
  { address, text, received }: RawDefinition,
  drafts: ReadonlyMap<Pointer, Drafting>,
  context: Context,
  policy: Policy,
): readonly Finding[] {
  const changed = [...drafts.values()].filter(({ is }) => is !== "kept");
  const set = changed.map(({ from, text: to }) => ({ at: from.at, to }));
  const rendered = render(address.kind, text, received, planOf("as-sent", set, false));
  if (rendered.is === "unfit") throw new RangeError("a text that can be set does not fit");
  const reading = readJson(rendered.rendering.text);
  if (reading.is === "refused") throw new RangeError(`a draft is not JSON: ${reading.refusal.code}`);
  const subject = subjectOf(surfaceOf(address, reading.json), reading.json, context);
  return findingsOf(descriptionRules, () => subject, policy).filter(({ effect }) => effect !== "note");
}
