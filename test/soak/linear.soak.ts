import { expect, test } from "vitest";
import { findingsOf } from "../../packages/judge/src/inspect.ts";
import { defaultPolicy } from "../../packages/judge/src/policy.ts";
import { descriptionRules, identityRules, schemaRules } from "../../packages/judge/src/rules/index.ts";
import { adversarialDefinitions } from "../../packages/judge/src/under-test/adversarial-definitions.ts";
import { grown } from "../../packages/judge/src/under-test/adversarial-texts.ts";
import { jsonOf } from "../../packages/judge/src/under-test/json-of.ts";
import { subjectOfJson } from "../../packages/judge/src/under-test/subject-of-json.ts";
import { growthProblem } from "../../tools/growth.ts";
import { troublesomeTexts } from "../../tools/troublesome-texts.ts";

/** Each text that makes much work for one pattern, against every rule: a run of a few minutes, 15 seconds of it when short. */
const seconds = process.env["COUNTERSIGN_SOAK"] === "long" ? 600 : 15;

const rules = [...descriptionRules, ...schemaRules, ...identityRules];

const judging = (definition: object) => {
  const subject = subjectOfJson(jsonOf(JSON.stringify(definition)));
  return () => findingsOf(rules, () => subject, defaultPolicy);
};

test("[soak.linear] every text made of a pattern takes all rules so long as its size says", () => {
  const problems: string[] = [];
  const texts = troublesomeTexts();
  const end = Date.now() + seconds * 1_000;
  // In strides, so that a short run has something of every file.
  const stride = 101;
  let done = 0;
  for (; done < texts.length && Date.now() < end; done++) {
    const one = texts[(done * stride) % texts.length];
    if (one === undefined) continue;
    const problem = growthProblem(
      [16_384, 32_768, 65_536],
      (size) => judging({ name: "a", inputSchema: { type: "object", title: grown(one, size) } }),
      500,
    );
    if (problem !== undefined) problems.push(`${JSON.stringify(one)} ${problem}`);
  }
  console.log(`${done} of ${texts.length} texts`);
  expect(problems).toEqual([]);
});

test.each(adversarialDefinitions)("[soak.linear] a megabyte: %s", (_, make) => {
  expect(growthProblem([262_144, 524_288, 1_048_576], (size) => judging(make(size)), 4_000)).toBeUndefined();
});
