import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Json, memberOf, readJson } from "@countersign/core";
import { mostSteps } from "../packages/judge/src/call/check-arguments.ts";
import { Evaluation } from "../packages/judge/src/call/evaluation.ts";

/**
 * `node tools/json-schema-suite.ts <folder>`: runs the required tests of a checkout of json-schema-org/JSON-Schema-Test-Suite
 * against the interpreter of arguments. Exits 1 where an answer is wrong. Where something is `UNSUPPORTED` nothing passes,
 * and a test that wants something to pass is counted apart.
 */
const drafts = [
  ["draft4", "http://json-schema.org/draft-04/schema#"],
  ["draft6", "http://json-schema.org/draft-06/schema#"],
  ["draft7", "http://json-schema.org/draft-07/schema#"],
  ["draft2019-09", "https://json-schema.org/draft/2019-09/schema"],
  ["draft2020-12", "https://json-schema.org/draft/2020-12/schema"],
] as const;

const folder = process.argv[2];
if (folder === undefined) throw new Error("Cannot run the suite: say where it is");
for (const [draft, dialect] of drafts) run(folder, draft, dialect);

function run(suite: string, draft: string, dialect: string): void {
  const count = { right: 0, wrong: 0, unsupported: 0 };
  const reasons = new Map<string, number>();
  const from = join(suite, "tests", draft);
  for (const file of readdirSync(from).filter((name) => name.endsWith(".json"))) {
    for (const group of itemsOf(read(readFileSync(join(from, file), "utf8")))) {
      const schema = inDialect(demand(group, "schema"), dialect);
      for (const test of itemsOf(demand(group, "tests"))) {
        const violations = new Evaluation(schema, { steps: mostSteps }).violations(demand(test, "data"));
        const valid = demand(test, "valid");
        const gap = violations.find((one) => one.code === "UNSUPPORTED");
        if ((violations.length === 0) === (valid.is === "boolean" && valid.value)) count.right++;
        else if (gap !== undefined) {
          count.unsupported++;
          const why = `${file}: ${gap.keyword} ${gap.because}`;
          reasons.set(why, (reasons.get(why) ?? 0) + 1);
        } else {
          count.wrong++;
          process.exitCode = 1;
          console.log(`${draft}/${file}: ${textOf(group)}: ${textOf(test)}`);
        }
      }
    }
  }
  console.log(`${draft}: ${count.right} right, ${count.wrong} wrong, ${count.unsupported} unsupported`);
  for (const [why, times] of reasons) console.log(`  ${times} x ${why}`);
}

function inDialect(schema: Json, dialect: string): Json {
  if (schema.is !== "object" || memberOf(schema, "$schema") !== undefined) return schema;
  const value: Json = { is: "string", start: 0, end: 0, value: dialect };
  return { ...schema, members: [{ key: "$schema", start: 0, value }, ...schema.members] };
}

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(`Cannot read a test: ${reading.refusal.code}`);
  return reading.json;
}

function demand(json: Json, key: string): Json {
  const value = memberOf(json, key);
  if (value === undefined) throw new Error(`Cannot run a test: it has no ${key}`);
  return value;
}

function itemsOf(json: Json): readonly Json[] {
  return json.is === "array" ? json.items : [];
}

function textOf(test: Json): string {
  const description = memberOf(test, "description");
  return description?.is === "string" ? description.value : "";
}
