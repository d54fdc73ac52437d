import { type Digest, digestOfCanonical } from "@countersign/core";
import { modelDigest } from "./model/model.ts";
import { trained } from "./model/trained.ts";
import { descriptionRules, identityRules, schemaRules } from "./rules/index.ts";

/** Raised with every change that lets a rule find more or less: an approval names the rules that had their say. */
const version = 5;

export const rulesetDigest: Digest = digestOfCanonical(
  "ruleset",
  JSON.stringify([
    version,
    modelDigest(trained),
    ...[...descriptionRules, ...schemaRules, ...identityRules].map(({ id, effect, confidence }) => [
      id,
      effect,
      confidence,
    ]),
  ]),
);
