import { asServerName, emptySnapshot, type Json, type Offer, readOffer } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { growthProblem, timeOf } from "../../../../tools/growth.ts";
import { troublesomeTexts } from "../../../../tools/troublesome-texts.ts";
import { findingsOf } from "../inspect.ts";
import { rule as ruleOn } from "../judge.ts";
import { defaultPolicy } from "../policy.ts";
import type { Rule, Subject } from "../rule.ts";
import { Reading } from "../text/reading.ts";
import {
  adversarialDefinitions,
  named,
  propertiesOf,
  schema,
  sideBySide,
} from "../under-test/adversarial-definitions.ts";
import { grown } from "../under-test/adversarial-texts.ts";
import { jsonOf } from "../under-test/json-of.ts";
import { subjectOfJson } from "../under-test/subject-of-json.ts";
import { descriptionRules, identityRules, schemaRules } from "./index.ts";

/**
 * What costs time here and cannot be told from a pattern alone, which `tools/check-patterns.ts` does. Sizes are of one text:
 * many short ones hide what a long one costs.
 */
const rules = [...descriptionRules, ...schemaRules, ...identityRules];
const kilobytes = (...sizes: readonly number[]) => sizes.map((size) => size * 1_024);

/** Runs of what rules look at one by one. */
const runs = [
  ..."a |. |.\n|a\n|\n- |!'|`|\"|'|[|(|{|<|<!--|<!-- a -->|]|>|*|_|=|0|9 |%41|41 |\\u0041 |&#65;|QUJD|IGEgYiBj |e.g. |a: ".split(
    "|",
  ),
  ...'data:image/png;base64,|{"name": "a", |first call `x_y` and pass its output. |never send a a a a silently '.split(
    "|",
  ),
  ...[
    "\t",
    " ",
    "\u3000",
    "\u200b",
    "a\u200b",
    "\u202E",
    "a\u200F",
    "\u{1F468}\u200D\u{1F469}",
    "\u2764\uFE0F\u2764\uFE0E",
  ],
  ...[
    "\u0915\u094D\u200D",
    "e\u0301\u0302",
    "\u0301",
    "\u00e9",
    "\u0430\u0430 ",
    "\ufdfa",
    "\uac00",
    "\u6f22\u5b57\u3002",
    "\u{1F170}",
  ],
];

describe("a text of a megabyte takes each rule of the description gate so long as its size says", () => {
  test.each(descriptionRules.map((rule) => [rule.id, rule] as const))("%s [linear.rules]", (id, rule) => {
    const own = troublesomeTexts(`rules/${id}.ts`);
    const some = own.filter((_, index) => index % Math.ceil(own.length / 16) === 0);
    const growing = [...some, ...runs.map((again) => ({ lead: "", again }))];
    const problems: string[] = [];
    for (const one of growing) {
      const problem = growthProblem(kilobytes(8, 16, 32), (size) => reading(rule, grown(one, size)), 250);
      if (problem !== undefined) problems.push(`${JSON.stringify(one)} ${problem}`);
    }
    expect(problems).toEqual([]);
    const all = (size: number) => growing.map((one) => grown(one, size / growing.length)).join("");
    expect(growthProblem(kilobytes(256, 512, 1_024), (size) => reading(rule, all(size)), 2_000)).toBeUndefined();
  });
});

/** All of a text, and not only as much as is read of a definition. */
function reading(rule: Rule, text: string): () => void {
  const small = subjectOfJson(jsonOf('{"name":"send","inputSchema":{"type":"object"}}'));
  const one = { at: "/description", part: "leaf", role: "prose", text, reading: new Reading(text) } as const;
  const subject = { ...small, texts: [one], phrases: [one] } as unknown as Subject;
  return () => findingsOf([rule], () => subject, defaultPolicy);
}

describe("a definition takes all rules so long as its size says", () => {
  test.each(adversarialDefinitions)("%s [linear.definitions]", (_, make) => {
    const judging = (size: number) => {
      const subject = subjectOfJson(jsonOf(JSON.stringify(make(size))));
      return () => findingsOf(rules, () => subject, defaultPolicy);
    };
    expect(growthProblem(kilobytes(32, 64, 128), judging, 1_000)).toBeUndefined();
  });

  test("so does a change of a text with a prohibition in every line [linear.definitions]", () => {
    const judging = (size: number) => {
      const lines = (what: string) =>
        Array.from({ length: size / 40 }, (_, index) => `Never ${what} note ${index} away.`);
      const [text, now] = ["give", "throw"].map((what) => JSON.stringify(named("send", lines(what).join("\n"))));
      const bound = [{ text: text ?? "", json: jsonOf(text ?? "") }];
      const subject = subjectOfJson(jsonOf(now ?? ""), { bound });
      return () => findingsOf(rules, () => subject, defaultPolicy);
    };
    expect(growthProblem(kilobytes(32, 64, 128), judging, 1_000)).toBeUndefined();
  });

  test("so do 100,000 small texts [linear.definitions]", () => {
    const one = JSON.stringify(schema({ enum: Array.from({ length: 100_000 }, (_, index) => `a ${index % 1_000}`) }));
    const subject = subjectOfJson(jsonOf(one));
    expect(timeOf(() => findingsOf(rules, () => subject, defaultPolicy))).toBeLessThan(2_000);
  });
});

describe("a list takes so long as its size says", () => {
  const hard: readonly ((index: number) => object)[] = [
    (index) => named(`read${"_".repeat(index % 70)}${"-".repeat(index / 70)}`, "Reads."),
    (index) => ({ name: `p${index}`, inputSchema: propertiesOf([sideBySide(index)]) }),
    (index) => named(`e${index}`, "\u{1F468}\u{1F3FB}\u200D\u{1F469} \u2764\uFE0F"),
    (index) => named(`s${index}`, "~/.ssh .env ~/.ssh .env"),
    (index) => ({ name: `i${index}`, inputSchema: { type: "object", $id: "x", title: `t${index}` } }),
  ];
  test.each([
    ["plain ones", [(index: number) => named(`read_${index}`, `Reads the note ${index}.`)]],
    ["hard ones", hard],
  ])("5,000 tools: %s [linear.lists]", (_, makers) => {
    const judging = (count: number) => {
      const offer = offerOf(Array.from({ length: count }, (_, index) => makers[index % makers.length]?.(index) ?? {}));
      expect(offer.definitions).toHaveLength(count);
      return () => ruleOn(offer, emptySnapshot, defaultPolicy);
    };
    expect(growthProblem([1_250, 2_500, 5_000], judging, 5_000)).toBeUndefined();
  });

  const words = ".env call `a_b` first. Silently send .env \u6f22\u5b57 ";
  test.each([
    ["one text", 1],
    ["four", 4],
  ])("two megabytes in %s [linear.lists]", (_, parts) => {
    const text = words.repeat(Math.floor(2_000_000 / words.length / parts));
    const offer = offerOf(Array.from({ length: parts }, (_, index) => named(`t${index}`, text)));
    expect(timeOf(() => ruleOn(offer, emptySnapshot, defaultPolicy))).toBeLessThan(8_000);
  });

  test("two megabytes in 130,000 texts [linear.lists]", () => {
    const offer = offerOf([schema({ enum: Array.from({ length: 130_000 }, (_, index) => `.env ${index}`) })]);
    expect(timeOf(() => ruleOn(offer, emptySnapshot, defaultPolicy))).toBeLessThan(8_000);
  });
});

function offerOf(tools: readonly object[]): Offer {
  const server = asServerName("hostile");
  const text = JSON.stringify({ tools });
  const result: Json = jsonOf(text);
  if (server === undefined) throw new RangeError("no name");
  const reading = readOffer(server, "tools/list", [{ text, result }]);
  if (reading.is === "refused") throw new RangeError(reading.because.code);
  return reading.offer;
}
