export { type BindOptions, bindManifest } from "./bind-manifest.ts";
export { type Draft, type Drafted, draftDefinitions } from "./draft/draft-definitions.ts";
export { rule } from "./judge.ts";
export { letThrough } from "./let-through.ts";
export { defaultPolicy, type Planned, type Policy, planFor, policyDigest } from "./policy.ts";
export type { Rule } from "./rule.ts";
export { descriptionRules, identityRules, schemaRules } from "./rules/index.ts";
export { rulesetDigest } from "./ruleset.ts";
