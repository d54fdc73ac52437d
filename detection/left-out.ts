import { addressKey, type RawDefinition, surfaceOf } from "@countersign/core";
import { corroborated } from "../packages/judge/src/corroborated.ts";
import { contextOf, findingsOf, subjectOf } from "../packages/judge/src/inspect.ts";
import type { Model } from "../packages/judge/src/model/model.ts";
import { defaultPolicy } from "../packages/judge/src/policy.ts";
import { descriptionRules } from "../packages/judge/src/rules/index.ts";
import { readsAsOrder, readsAsOrderBy } from "../packages/judge/src/rules/reads-as-order.ts";
import { sinceApproved } from "../packages/judge/src/since-approved.ts";
import type { Authored } from "./authored.ts";
import { grouping, rowsOf } from "./bags.ts";
import type { Corpus } from "./corpus.ts";
import type { Judge } from "./evaluate.ts";
import { leaveOut, parts } from "./folds.ts";
import { judgedBy, offerOf, snapshotOf } from "./judge-tools.ts";
import type { Learned } from "./learn.ts";
import { thresholdOf } from "./threshold.ts";

/** Judges each row by the rules, and by a model that has learned nothing from the place where the row was found. */
export function judgeLeftOut(corpus: Corpus, authored: readonly Authored[]): Judge {
  const rows = rowsOf(corpus, authored);
  const { without, scores } = leaveOut(rows, parts);
  const threshold = thresholdOf(corpus, scores);
  const groupOf = grouping(corpus.attacks);
  const known = new Set(rows.map(({ group }) => group));
  const fallback = rows.find(({ of }) => of !== undefined)?.group ?? "";
  const rules = new Map<Learned, typeof descriptionRules>();
  return (tools, about, approved = []) => {
    const group = groupOf(about);
    const learned = without(known.has(group) ? group : fallback);
    const listed =
      rules.get(learned) ?? descriptionRules.map((rule) => (rule === readsAsOrder ? ruleOf(learned, threshold) : rule));
    rules.set(learned, listed);
    const context = contextOf(offerOf(tools), snapshotOf(approved));
    const foundIn = ({ address, json }: RawDefinition) => {
      const subject = subjectOf(surfaceOf(address, json), json, context);
      return {
        subject,
        findings: corroborated(
          findingsOf(listed, () => subject, defaultPolicy),
          defaultPolicy,
        ),
      };
    };
    const before = new Map(
      offerOf(approved).definitions.map((definition) => [addressKey(definition.address), definition]),
    );
    return offerOf(tools).definitions.map((definition) => {
      const found = foundIn(definition);
      const old = before.get(addressKey(definition.address));
      if (old === undefined || old.received === definition.received) return judgedBy(found.findings);
      const dated = sinceApproved(found, foundIn(old), defaultPolicy);
      return judgedBy(dated.filter(({ added }) => added).map(({ finding }) => finding));
    });
  };
}

function ruleOf({ bias, weights }: Learned, threshold: number) {
  const model: Model = { bias: bias - threshold, step: 1, weights };
  return readsAsOrderBy(() => model);
}
