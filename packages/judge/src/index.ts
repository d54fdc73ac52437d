export { type BindOptions, bindManifest } from "./bind-manifest.ts";
export { rule } from "./judge.ts";
export { letThrough } from "./let-through.ts";
export { defaultPolicy, type Planned, type Policy, planFor, policyDigest, unplanned } from "./policy.ts";
export type { Rule } from "./rule.ts";
export { descriptionRules, identityRules, schemaRules } from "./rules/index.ts";
export { rulesetDigest } from "./ruleset.ts";
export { latinOf } from "./text/latin-of.ts";
