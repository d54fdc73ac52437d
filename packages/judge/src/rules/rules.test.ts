import { readJson } from "@countersign/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findingsOf } from "../inspect.ts";
import { defaultPolicy } from "../policy.ts";
import type { Subject } from "../rule.ts";
import { subjectOfJson } from "../under-test/subject-of-json.ts";
import { descriptionRules, identityRules, schemaRules } from "./index.ts";

const rules = [...descriptionRules, ...schemaRules, ...identityRules];

test("every rule has an id of its own", () => {
  expect(rules.map(({ id }) => id)).toEqual([...new Set(rules.map(({ id }) => id))]);
});

test("every rule stands in the list of its gate", () => {
  expect(new Set(descriptionRules.map(({ gate }) => gate))).toEqual(new Set(["description"]));
  expect(new Set(schemaRules.map(({ gate }) => gate))).toEqual(new Set(["schema"]));
});

test.each(rules.map((rule) => [rule.id, rule] as const))("%s names taxa that exist in form", (_, { taxa }) => {
  expect(
    taxa.filter((id) => !/^(?:OWASP-MCP(?:0[1-9]|10)|AML\.T[0-9]{4}(?:\.[0-9]{3})?|SAFE-T[0-9]{4})$/.test(id)),
  ).toEqual([]);
});

/** Beginnings of what each rule looks for, in abundance: 1.5 MB that no pattern may go over twice. */
const fragments = [
  ..."ignore all |ignore the the |do not |do not tell |call `|call `a` |call a_a |use the the |a_a_|before any |always ".split(
    "|",
  ),
  ..."always call this |must be |~/.ssh |/.env|a/|. |.|!'|e.g. |a: |the user |user must not |send the |keep this |hide a ".split(
    "|",
  ),
  ..."silently send |send a |full the |your system |run `|run: curl |whenever the |regardless of |without telling the ".split(
    "|",
  ),
  ..."you are now in |never |prefer a |detects |please |system: |important ".split("|"),
  ...[
    "<!--",
    "<!-- a -->",
    "<important ",
    "<important>",
    "<|a",
    "<|a|>",
    "[inst]",
    "[//]: # (",
    "{{ system ",
    "###",
    "{ ",
  ],
  ...[
    '{"name": "a", ',
    "%41",
    "a%41",
    "QUJD",
    "IGEgYiBj ",
    "\\u0041 ",
    "&#65;",
    "41 ",
    "data:image/png;base64,",
    "```",
  ],
  ...[
    "\u200b",
    "a\u200b",
    "\u{1F468}\u200D\u{1F469}",
    "\u2764\uFE0F",
    "\u0915\u094D\u200D",
    "\u202E",
    "a\u200F",
    "\n",
    " ",
  ],
  ...["\u0430\u0430 ", "\u00e9", "\ufdfa", "\uac00", "\u{1F170}", "\t", "*", "\n a"],
];

const crowd = JSON.stringify({
  name: "crowd",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(
      fragments.map((fragment, index) => [
        `p${index}`,
        { description: fragment.repeat(Math.ceil(16_384 / fragment.length)) },
      ]),
    ),
  },
});

const names = Array.from({ length: 8_000 }, (_, index) => `n${index}`);
const web = JSON.stringify({
  name: "send_web",
  inputSchema: {
    type: "object",
    additionalProperties: true,
    allOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(names.map((name, index) => [name, { anyOf: [{ $ref: `#/$defs/n${index + 1}` }, {}] }])),
    "x-unknown": names.map((_, index) => ({ $ref: `#/x-unknown/${(index * 7) % names.length}` })),
  },
});

test("every finding points into a text of the definition", () => {
  const words = [
    ...fragments,
    "first call `x_y` and pass its output. ",
    "ignore all previous rules ",
    "\u{1F468}",
    " first ",
    " any other tool ",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const subject = subjectIn(JSON.stringify({ name: "send", [text]: text, inputSchema: {} }));
      for (const { at, part, span } of findingsOf(rules, () => subject, defaultPolicy)) {
        const carrier = subject.texts.find((one) => one.at === at && one.part === part);
        if (span === undefined) continue;
        expect(carrier).toBeDefined();
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeGreaterThan(span.start);
        expect(span.end).toBeLessThanOrEqual(carrier?.text.length ?? 0);
      }
    }),
  );
});

describe("a hostile megabyte", () => {
  const subjects = [crowd, web].map(subjectIn);
  test.each(rules.map((rule) => [rule.id, rule] as const))("takes %s less than a second", (_, rule) => {
    expect(crowd.length).toBeGreaterThan(1_000_000);
    const before = process.cpuUsage();
    for (const subject of subjects) findingsOf([rule], () => subject, defaultPolicy);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

function subjectIn(text: string): Subject {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return subjectOfJson(reading.json);
}
